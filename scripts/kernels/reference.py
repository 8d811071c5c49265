"""scripts/kernels/reference.py -- what each kernel of corpora/kernels computes, once more and without its text.

A function of a kernel's name takes its buffers as lists of Python numbers, changes those that the kernel writes, and may
return how far a float may be off: the name of a rule of `close`. Floats of 32 and 16 bits are rounded by `f` and `h`:
an operation in 53 bits that is rounded to 24 or 11 is rounded correctly (sum, product, quotient, square root)."""

import binascii
import itertools
import math
import struct
from fractions import Fraction

M32, M64 = (1 << 32) - 1, (1 << 64) - 1


def f(x):
    """x rounded to 32 bits, to nearest even."""
    try:
        return struct.unpack("<f", struct.pack("<f", x))[0]
    except OverflowError:
        return math.copysign(math.inf, x)


def h(x):
    """x rounded to 16 bits, to nearest even."""
    try:
        return struct.unpack("<e", struct.pack("<e", x))[0]
    except OverflowError:
        return math.copysign(math.inf, x)


def u2f(n):
    return struct.unpack("<f", struct.pack("<I", n))[0]


def f2u(x):
    return struct.unpack("<I", struct.pack("<f", x))[0]


def i32(n):
    return (n + 0x80000000 & M32) - 0x80000000


def i16(n):
    return (n + 0x8000 & 0xffff) - 0x8000


def round_fraction(q, bits, emin):
    """The float of that precision nearest to a fraction, ties to even, as a double."""
    if q == 0:
        return 0.0
    sign, q = (-1, -q) if q < 0 else (1, q)
    e = q.numerator.bit_length() - q.denominator.bit_length()
    e -= q < Fraction(2) ** e
    quantum = Fraction(2) ** (max(e, emin) - bits + 1)
    n = q / quantum
    whole = n.numerator // n.denominator
    rest = n - whole
    whole += rest > Fraction(1, 2) or (rest == Fraction(1, 2) and whole % 2 == 1)
    try:
        value = float(whole * quantum)
    except OverflowError:
        value = math.inf
    if bits == 24 and value > 3.4028234663852886e38:
        value = math.inf
    return sign * value


def fma(x, y, z, bits=24, emin=-126):
    """x * y + z, rounded once."""
    if not all(map(math.isfinite, (x, y, z))):
        return x * y + z if not (math.isfinite(x) and math.isfinite(y)) else z
    exact = Fraction(x) * Fraction(y) + Fraction(z)
    if exact == 0:
        return math.copysign(1.0, x) * math.copysign(1.0, y) * 0.0 + z if z == 0 else 0.0
    return round_fraction(exact, bits, emin)


def truncate(n, d):
    """n / d toward zero."""
    q = abs(n) // abs(d)
    return q if (n < 0) == (d < 0) else -q


def clamp(x, low, high):
    return max(low, min(x, high))


def rotate(x, n):
    n %= 32
    return (x << n | x >> (32 - n)) & M32


def parts_of(n, size):
    return range(0, n, size)


# ---- OpenCL C ----


def reduce_sum(x, y):
    for g in range(len(y)):
        t = x[64 * g:64 * g + 64]
        while len(t) > 1:
            half = len(t) // 2
            t = [f(t[i] + t[i + half]) for i in range(half)]
        y[g] = t[0]


def reduce_max(x, y):
    for g in range(4):
        y[g] = max(x[32 * g:32 * g + 32])


def reduce_stride(x, y):
    for i in range(128):
        s = 0.0
        for k in range(i, 1000, 128):
            s = f(s + x[k])
        y[i] = s


def count_atomic(x, y):
    y[0] = sum(v < 30 for v in x)


def inclusive(x, size):
    out = []
    for g in parts_of(len(x), size):
        out += [n & M32 for n in itertools.accumulate(x[g:g + size])]
    return out


def scan_steps(x, y):
    y[:] = inclusive(x, 64)


def scan_tree(x, y):
    y[:] = [(a - b) & M32 for a, b in zip(inclusive(x, 64), x)]


def histogram(x, y):
    for v in x:
        y[v >> 4] += 1


def float_add_loop(x, y):
    for r in range(4):
        y[r] = sum(x[r::4])


def atomic_extremes(x, a, b):
    u = [v & M32 for v in x]
    a[:] = [min(x + [0]), max(x + [0])]
    b[0], b[1] = min(u), max(u)
    for v in u:
        b[2] &= v | 0xff
        b[3] |= v & 0xffff


def same_members(got, wanted, what):
    return None if sorted(got) == sorted(wanted) else what


def ticket(x, y, n):
    odd = [v for v in x if v & 1]
    n[0] = len(odd)
    return lambda out: same_members(out[1], odd + [0] * (len(x) - len(odd)), "not the odd elements")


def exchange(kept, word):
    numbers = [1000] + list(range(len(kept)))
    return lambda out: same_members(out[0] + out[1], numbers, "no chain")


def float_atomic(x, y):
    y[:] = [sum(x[0::2]), sum(x[1::2])]


def atomics_c11(x, y):
    s = sum(x)
    y[:] = [s, -s, max(x + [0]), s]


def matmul(a, b, c):
    for y in range(16):
        for x in range(16):
            c[y * 16 + x] = math.fsum(a[y * 16 + k] * b[k * 16 + x] for k in range(16))
    return ("absolute", 64 * 16 * 2.0 ** -24)


def matmul_tiles(a, b, c):
    for y in range(12):
        for x in range(12):
            c[y * 12 + x] = sum(a[y * 12 + k] * b[k * 12 + x] for k in range(12))


def stencil(x, y):
    n = len(x)
    for i in range(n):
        left, right = x[max(i - 1, 0)], x[min(i + 1, n - 1)]
        y[i] = f(f(f(0.25 * left) + f(0.5 * x[i])) + f(0.25 * right))


def stencil_halo(x, y):
    def at(r, c):
        return x[r * 16 + c] if 0 <= r < 16 and 0 <= c < 16 else 0
    for r in range(16):
        for c in range(16):
            y[r * 16 + c] = 4 * at(r, c) - at(r - 1, c) - at(r + 1, c) - at(r, c - 1) - at(r, c + 1)


def transpose(x, y):
    for r in range(24):
        for c in range(16):
            y[c * 24 + r] = x[r * 16 + c]


def sort_parts(x, size):
    for g in parts_of(len(x), size):
        x[g:g + size] = sorted(x[g:g + size])


def bitonic(x):
    sort_parts(x, 64)


def odd_even_sort(x):
    sort_parts(x, 32)


def bit_tricks(x, y):
    for i, v in enumerate(x):
        b = f"{v:032b}"
        reverse = int("".join(b[k:k + 8][::-1] for k in range(0, 32, 8)), 2)
        power = (1 << (v - 1).bit_length()) & M32 if v > 0 else 0
        y[4 * i:4 * i + 4] = [reverse, b.count("1"), 32 - v.bit_length(), power]


def morton(x, code, back):
    for i in range(64):
        a, b = x[2 * i], x[2 * i + 1]
        code[i] = sum((a >> k & 1) << 2 * k | (b >> k & 1) << 2 * k + 1 for k in range(16))
        back[i] = b << 16 | a


def fnv_hash(x, y):
    for i in range(32):
        n = 2166136261
        for v in x[16 * i:16 * i + 16]:
            n = (n ^ v) * 16777619 & M32
        y[i] = n


def first_primes(n):
    found = []
    c = 2
    while len(found) < n:
        if all(c % p for p in found):
            found.append(c)
        c += 1
    return found


def root_bits(n, k):
    """The first 32 bits behind the point of the k-th root of n."""
    x = n << 32 * k
    low, high = 0, 1 << 40
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if middle ** k <= x else (low, middle)
    return low & M32


def sha256(x, y):
    primes = first_primes(64)
    start = [root_bits(p, 2) for p in primes[:8]]
    for i in range(8):
        w, s = x[16 * i:16 * i + 16], list(start)
        for t in range(16, 64):
            a, b = w[t - 15], w[t - 2]
            w.append((w[t - 16] + (rotate(a, 25) ^ rotate(a, 14) ^ a >> 3) + w[t - 7] +
                      (rotate(b, 15) ^ rotate(b, 13) ^ b >> 10)) & M32)
        for t in range(64):
            a, b, c, d, e, g, k, m = s
            t1 = (m + (rotate(e, 26) ^ rotate(e, 21) ^ rotate(e, 7)) + ((e & g) ^ (~e & k)) + root_bits(primes[t], 3) +
                  w[t]) & M32
            t2 = (rotate(a, 30) ^ rotate(a, 19) ^ rotate(a, 10)) + ((a & b) ^ (a & c) ^ (b & c)) & M32
            s = [t1 + t2 & M32, a, b, c, d + t1 & M32, e, g, k]
        y[8 * i:8 * i + 8] = [p + q & M32 for p, q in zip(start, s)]


def xorshift(x, y):
    for i, v in enumerate(x):
        for _ in range(50):
            v ^= v << 13 & M32
            v ^= v >> 17
            v ^= v << 5 & M32
        y[i] = v


def pcg(x, y):
    for i, s in enumerate(x):
        for k in range(4):
            old, s = s, (s * 6364136223846793005 + 1442695040888963407) & M64
            v = ((old >> 18 ^ old) >> 27) & M32
            y[4 * i + k] = (rotate(v, 32 - (old >> 59)) >> 8) / 2.0 ** 24


def crc_of(x, y, n):
    for i in range(len(y)):
        y[i] = binascii.crc32(bytes(x[n * i:n * i + n]))


def crc32(x, y):
    crc_of(x, y, 20)


def crc_table(x, y):
    crc_of(x, y, 16)


def mandelbrot(n):
    for gy in range(8):
        for gx in range(16):
            cx, cy, x, y, k = -2.0 + 0.1875 * gx, -1.0 + 0.25 * gy, 0.0, 0.0, 0
            while k < 50 and f(f(x * x) + f(y * y)) <= 4.0:
                x, y = f(f(f(x * x) - f(y * y)) + cx), f(f(f(2.0 * x) * y) + cy)
                k += 1
            n[gy * 16 + gx] = k


def product(a, b, c, d):
    return f(f(a * c) - f(b * d)), f(f(a * d) + f(b * c))


def complex_(a, b, p, q):
    for i in range(0, 64, 2):
        u, v, s, t = a[i], a[i + 1], b[i], b[i + 1]
        p[i:i + 2] = product(u, v, s, t)
        n = f(f(s * s) + f(t * t))
        q[i] = f(f(f(u * s) + f(v * t)) / n)
        q[i + 1] = f(f(f(v * s) - f(u * t)) / n)
    return ("ulp", 4)  # OpenCL's quotient is within 2.5 ulp


def fma_chain(a, b, y):
    for i in range(64):
        r = b[i]
        for _ in range(8):
            r = fma(a[i], b[i], r)
        y[i] = r


def kahan(x, y):
    for i in range(16):
        s = lost = 0.0
        for v in x[32 * i:32 * i + 32]:
            v = f(v - lost)
            t = f(s + v)
            lost, s = f(f(t - s) - v), t
        y[i] = s


def two_sum(a, b, s, p):
    for i in range(64):
        total = Fraction(a[i]) + Fraction(b[i])
        s[2 * i] = f(a[i] + b[i])
        s[2 * i + 1] = float(total - Fraction(s[2 * i]))
        p[2 * i] = f(a[i] * b[i])
        p[2 * i + 1] = float(Fraction(a[i]) * Fraction(b[i]) - Fraction(p[2 * i]))


def horner(x, y, c):
    for i in range(32):
        r = c[7]
        for k in range(6, -1, -1):
            r = fma(r, x[i], c[k], 53, -1022)
        y[i] = r


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def geometry(a, b, y):
    for i in range(32):
        u, v = a[4 * i:4 * i + 4], b[4 * i:4 * i + 4]
        d = sum(p * q for p, q in zip(u, v))
        n = math.hypot(*u)
        y[8 * i:8 * i + 8] = [d, n, math.dist(u, v), n * n, u[0] / n, u[1] / n, u[2] / n, cross(u, v)[2]]
    return ("absolute", 1e-4)


def half_toward_zero(x):
    if math.isnan(x) or math.isinf(x):
        return x
    e, limit = h(x), 65504.0
    if math.isinf(e):
        return math.copysign(limit, x)
    if abs(e) > abs(x):
        bits = struct.unpack("<H", struct.pack("<e", e))[0]
        e = struct.unpack("<e", struct.pack("<H", bits - 1))[0]
    return e


def half_storage(x, e, z, back):
    for i, v in enumerate(x):
        e[i] = back[i] = h(v)
        z[i] = half_toward_zero(v)


def half_arith(x, y):
    for i in range(32):
        y[i] = h(h(x[2 * i] + h(x[2 * i + 1] * 2.0)) / 3.0)
    return ("ulp", 1)


def double_arith(a, b, y):
    for i in range(32):
        y[4 * i:4 * i + 4] = [a[i] / b[i], math.sqrt(b[i]), a[i] * a[i] + b[i] * b[i], f(a[i])]


def saturate(x, low, high, how):
    if math.isnan(x):
        return 0
    return int(clamp(how(x) if math.isfinite(x) else x, low, high))


def convert_sat(x, b, s, w):
    for i, v in enumerate(x):
        b[i] = saturate(v, 0, 255, math.trunc)
        s[i] = saturate(v, -32768, 32767, round)
        w[2 * i] = saturate(v, -2 ** 31, 2 ** 31 - 1, math.ceil)
        w[2 * i + 1] = saturate(v, -2 ** 31, 2 ** 31 - 1, math.floor)


def convert_round(x, y):
    for i, n in enumerate(x):
        near = f(n)
        below = near if near <= n else u2f(f2u(near) + (1 if near < 0 else -1))
        above = near if near >= n else u2f(f2u(near) + (-1 if near < 0 else 1))
        y[4 * i:4 * i + 4] = [near, above if n < 0 else below, above, below]


def convert_narrow(x, a, b, c):
    for i, n in enumerate(x):
        a[i], b[i], c[i] = clamp(n, 0, 255), clamp(n, -32768, 32767), n & 255


def trig(x, y):
    for i, v in enumerate(x):
        y[4 * i:4 * i + 4] = [math.sin(v), math.cos(v), math.tan(v), math.atan(v)]
    return ("ulp", 8)


def exponentials(x, y):
    for i, v in enumerate(x):
        y[5 * i:5 * i + 5] = [math.exp(v), math.log(v), 2.0 ** v, math.log10(v), v ** 1.5]
    return ("ulp", 20)


def roots(x, y, z):
    for i in range(64):
        z[5 * i:5 * i + 5] = [math.sqrt(x[i]), 1 / math.sqrt(x[i]), math.copysign(abs(y[i]) ** (1 / 3), y[i]),
                              math.hypot(x[i], y[i]), math.fmod(x[i], f(abs(y[i]) + 1.0))]
    return ("ulp", 5)


def parts(x, y, n):
    for i, v in enumerate(x):
        m, e = math.frexp(v)
        fraction, whole = math.modf(v)
        y[4 * i:4 * i + 4] = [m, fraction, whole, u2f(f2u(v) + (1 if v > 0 else -1))]
        n[2 * i:2 * i + 2] = [e, e - 1]


def half_away(v):
    return math.copysign(math.floor(abs(v) + 0.5), v) if abs(v) < 2.0 ** 23 else v


def near_even(v):
    return math.copysign(float(round(v)), v) if math.isfinite(v) else v


def signed(how, v):
    return math.copysign(float(how(v)), v) if math.isfinite(v) else v


def rounding(x, y):
    for i, v in enumerate(x):
        away = half_away(v) if math.isfinite(v) else v
        if math.isfinite(v) and abs(v) == 0.49999997:
            away = math.copysign(0.0, v)
        y[5 * i:5 * i + 5] = [signed(math.floor, v), signed(math.ceil, v), signed(math.trunc, v), near_even(v), away]


def sub_size(y):
    return lambda out: None if all(1 <= n <= 64 for n in out[0]) and sum(1 / n for n in out[0]) > 0.99 else "no sizes"


def members(ids, width, size):
    """Work-items by (work-group, sub-group), each in the order of their places."""
    found = {}
    for i in range(len(ids) // width):
        found.setdefault((i // size, ids[width * i]), []).append((ids[width * i + 1], i))
    return [[i for _, i in sorted(lanes)] for lanes in found.values()]


def scan_of(x, out, ids, size, before):
    for lanes in members(ids, 3, size):
        s = 0
        for i in lanes:
            if out[i] != s + (0 if before else x[i]):
                return f"element {i} is {out[i]}"
            s += x[i]
    return None


def sub_scan(x, y, ids):
    return lambda out: scan_of(x, out[1], out[2], 64, False)


def runs_of(x, out, size, total):
    """Are neighbours that have one number, 4 to `size` of them, the sub-groups whose total that is?"""
    for g in parts_of(len(x), size):
        part, values, at = x[g:g + size], out[g:g + size], 0
        for n in (4, 8, 16, 32, 64, 2, 1):
            wanted = [total(part[k // n * n:k // n * n + n]) for k in range(size)] if n <= size else None
            at = at or wanted == values
        if not at:
            return f"group {g // size}: no such sub-groups"
    return None


def sub_sum_bare(x, y):
    return lambda out: runs_of(x, out[1], 32, sum)


def sub_shuffle(x, y, ids):
    def look(out):
        for lanes in members(out[2], 2, 32):
            for k, i in enumerate(lanes):
                if k ^ 1 < len(lanes) and out[1][i] != x[lanes[k ^ 1]]:
                    return f"element {i}"
        return None
    return look


def sub_ballot(x, y, ids):
    def look(out):
        for lanes in members(out[2], 2, 64):
            n = sum(x[i] & 1 for i in lanes)
            for i in lanes:
                if out[1][i] != n:
                    return f"element {i}"
        return None
    return look


def group_functions(x, y):
    for g in parts_of(len(x), 32):
        part = x[g:g + 32]
        for l in range(32):
            y[3 * (g + l):3 * (g + l) + 3] = [max(part), sum(part[:l]), part[5]]


def particles(x):
    for i in parts_of(len(x), 8):
        for k in range(4):
            x[i + k] = f(x[i + k] + f(x[i + 4 + k] * 0.125))
        v = f(x[i + 5] - 1.21875)
        x[i + 5] = -v if x[i + 1] < 0 else v


def struct_copy(x, y):
    for i in parts_of(len(x), 8):
        key, a, b, c, d, ab, t0, _ = x[i:i + 8]
        y[i:i + 8] = [key, d, c, b, a, (ab << 16 | ab >> 16) & M32, t0, (key + t0) & M32]


def insertion_sort(x):
    sort_parts(x, 8)


def interpreter(code, x, y):
    for i in range(32):
        a, b = x[i], 1
        for op in code[8 * i:8 * i + 8]:
            if op == 3 and a & 1:
                continue
            if op == 0:
                a = a + 7 & M32
            elif op in (1, 2):
                a = a * 3 & M32 if op == 1 else a
                b ^= a
            elif op == 3:
                a >>= 1
            elif op == 4:
                a, b = b, a
            elif op == 5:
                a ^= M32
            else:
                a = a - b & M32
            a ^= a << 7 & M32
        y[i] = a


def nested_loops(x, y):
    primes = [p for p in range(2, 501) if all(p % d for d in range(2, p))]
    y[:] = [sum(p for p in primes if p <= n and n % p) for n in x]


def collatz_of(n):
    steps = 0
    while n != 1:
        n = 3 * n + 1 if n % 2 else n // 2
        steps += 1
    return steps


def collatz(x, y):
    y[:] = map(collatz_of, x)


def early_return(x, y):
    for i, n in enumerate(x):
        if n < 0:
            y[i] = -2
        elif math.isqrt(n) ** 2 == n:
            y[i] = math.isqrt(n)


def pointer_walk(x, s, at):
    for i in range(32):
        part = x[16 * i:16 * i + 16] + [0]
        at[i] = part.index(0)
        s[i] = sum(part[:at[i]])


def many_buffers(a, b, c, d, x, y, z):
    for i in range(32):
        x[i], y[i], z[i] = f(a[i] - b[i]), ~c[i], (d[31 - i] + 1) & 255


def vloads(x, three, four):
    for i in range(16):
        three[3 * i:3 * i + 3] = x[3 * i + 2:3 * i + 5][::-1]
        v = x[4 * i + 3:4 * i + 7]
        four[4 * i:4 * i + 4] = v[2:] + v[:2]


def generic_pointer(x, y):
    def mix(a, b):
        return a & M32 ^ rotate(b & M32, 7)
    for i in range(32):
        o = i // 16 * 16 + 15 - i % 16
        y[i] = (mix(x[2 * i], x[2 * i + 1]) + mix(~x[2 * o], x[2 * o + 1] * 3) +
                mix(x[2 * i] + 1, x[2 * i + 1] - 1)) & M32


def int_builtins(a, b, y):
    low, high = -2 ** 31, 2 ** 31 - 1
    for i in range(32):
        p, q = a[i], b[i]
        y[8 * i:8 * i + 8] = [p * q >> 32, clamp(p + q, low, high), clamp(p - q, low, high), p + q >> 1,
                              i32(abs(p - q)), clamp(p * q + p, low, high), i32(rotate(p & M32, q & 31)),
                              min(max(p, -1000), q & 0xffff)]


def vector_shuffle(x, y):
    for i in parts_of(128, 8):
        for k in range(8):
            y[i + k] = min(x[i + (x[i + k] & 7)] + x[i + k], 255)


def tests_select(a, b, bits, pick):
    for i, (x, y) in enumerate(zip(a, b)):
        n = f2u(x) & 0x7fffffff
        is_nan, is_inf = n > 0x7f800000, n == 0x7f800000
        tests = [is_nan, is_inf, n < 0x7f800000, 0x00800000 <= n < 0x7f800000, f2u(x) >> 31, x < y, x == y]
        bits[i] = sum(int(t) << k for k, t in enumerate(tests))
        pick[i] = x if f2u(y) >> 31 else y


def inverse_root(x, y):
    for i, v in enumerate(x):
        r = u2f(0x5f3759df - (f2u(v) >> 1))
        for _ in range(2):
            r = f(r * f(1.5 - f(f(f(0.5 * v) * r) * r)))
        y[i] = r


def blend(a, b, y):
    for i in range(128):
        alpha = a[i | 3]
        y[i] = (a[i] * alpha + b[i] * (255 - alpha) + 127) // 255


def wide_integers(a, b, y):
    for i in range(16):
        y[4 * i:4 * i + 4] = [a[i] * b[i] >> 64, a[i] // b[i], a[i] % b[i], a[i] >> (b[i] & 63)]


def narrow_integers(a, b, y):
    for i in range(64):
        y[3 * i:3 * i + 3] = [i16(a[i] * b[i]), a[i] >> (b[i] & 7), i16(truncate(a[i], b[i] | 1))]


def ids_of(y):
    for z, r, c in itertools.product(range(2), range(4), range(8)):
        local = c % 4 + 4 * (r % 2) + 8 * z
        y[(z * 4 + r) * 8 + c] = c | r << 4 | z << 8 | local << 12 | (c // 4 + 2 * (r // 2)) << 16


def ids(y):
    ids_of(y)


def life(x, y):
    for i in range(256):
        r, c = divmod(i, 16)
        n = sum(x[(r + p) % 16 * 16 + (c + q) % 16] for p in (-1, 0, 1) for q in (-1, 0, 1)) - x[i]
        y[i] = int(n == 3 or (n == 2 and x[i] == 1))


def compact(x, y, n):
    kept = [v for v in x if v > 0]
    y[:len(kept)] = kept
    n[0] = len(kept)


def bisect(table, key, y):
    y[:] = [sum(t < k for t in table) for k in key]


def flag_message(box, seen):
    box[0], box[2] = 42, 1
    return lambda out: None if set(out[1]) <= {0, 42} and out[1][0] == 0 and out[0] == [42, 0, 1, 0] else "no message"


def far_convert(x, y):
    for i, v in enumerate(x):
        y[i] = math.trunc(v)
    return ("in-range", 0)


def g_far_shift(x, y, z):
    z[:] = [v << n & M32 if n < 32 else -1 for v, n in zip(x, y)]
    return ("in-range", 0)


def fft(x, y):
    for k in range(16):
        turns = [(x[2 * n], x[2 * n + 1], -2 * math.pi * k * n / 16) for n in range(16)]
        y[2 * k] = sum(a * math.cos(t) - b * math.sin(t) for a, b, t in turns)
        y[2 * k + 1] = sum(a * math.sin(t) + b * math.cos(t) for a, b, t in turns)
    return ("absolute", 2e-5)


# ---- OpenCL C, arguments by value: lists of their components ----


def v_scale(x, y, factor):
    y[:] = [f(n * factor[0]) for n in x]


def v_count(x, y, n):
    y[:n[0]] = [v + 1 & M32 for v in x[:n[0]]]


def v_saxpy(n, a, x, y):
    y[:n[0]] = [f(f(a[0] * p) + q) for p, q in zip(x[:n[0]], y)]


def v_vector(x, y, shift):
    y[:] = [f(n + shift[i % 4]) for i, n in enumerate(x)]


def v_wide(x, y, a):
    y[:] = [n * a[0] & M64 for n in x]


def v_byte(x, y, limit):
    y[:] = [min(n, limit[0]) for n in x]


def v_double(x, y, step, n):
    y[:] = x
    for _ in range(n[0]):
        y[:] = [r * step[0] for r in y]


# ---- GLSL ----

g_reduce_sum, g_exchange, g_float_atomic, g_mandelbrot, g_kahan = (reduce_sum, exchange, float_atomic, mandelbrot, kahan)
g_matmul, g_ids = matmul, ids_of


def g_scan(x, y):
    y[:] = inclusive(x, 32)


def g_histogram(x, y):
    for v in x:
        y[v % 16] += 1


def g_atomics(x, a, b):
    atomic_extremes(x, a, b)
    for v in x:
        b[4] ^= v & M32


def g_comp_swap(x, y):
    y[:] = [f2u(sum(x[0::2])), f2u(sum(x[1::2]))]


def g_stencil(x, y):
    def at(r, c):
        return x[clamp(r, 0, 15) * 16 + clamp(c, 0, 15)]
    for r in range(16):
        for c in range(16):
            y[r * 16 + c] = 4 * at(r, c) - at(r - 1, c) - at(r + 1, c) - at(r, c - 1) - at(r, c + 1)


def g_transpose(x, y):
    y[:] = [x[c * 16 + r] for r in range(16) for c in range(16)]


def g_bitonic(x):
    sort_parts(x, 64)


def g_bits(x, y):
    for i, v in enumerate(x):
        t = v >> (v & 31)
        insert = v & ~(0xfff << 8) | (~v & 0xfff) << 8
        field = v >> 5 & 0x1ff
        y[8 * i:8 * i + 8] = [bin(v).count("1"), (v & -v).bit_length() - 1, t.bit_length() - 1,
                              i32(int(f"{v:032b}"[::-1], 2)), field - 0x200 if field & 0x100 else field,
                              v >> (v & 15) & 0xfff, i32(insert & M32),
                              (v if v < 1 << 31 else ~v & M32).bit_length() - 1]


def g_murmur(x, y):
    for i in range(32):
        n = i
        for v in x[4 * i:4 * i + 4]:
            n ^= rotate(v * 0xcc9e2d51 & M32, 15) * 0x1b873593 & M32
            n = rotate(n, 13) * 5 + 0xe6546b64 & M32
        n ^= 16
        n = (n ^ n >> 16) * 0x85ebca6b & M32
        n = (n ^ n >> 13) * 0xc2b2ae35 & M32
        y[i] = n ^ n >> 16


def g_pcg(x, y):
    for i, s in enumerate(x):
        for _ in range(4):
            s = s * 747796405 + 2891336453 & M32
            w = (s >> (s >> 28) + 4 ^ s) * 277803737 & M32
            w ^= w >> 22
        y[i] = (w >> 8) / 2.0 ** 24


def g_crc(x, y):
    for i in range(32):
        y[i] = binascii.crc32(struct.pack("<4I", *x[4 * i:4 * i + 4]))


def g_complex(a, b, p):
    for i in range(0, 64, 2):
        z = product(*a[i:i + 2], *b[i:i + 2])
        p[i:i + 2] = product(*product(*z, *z), *z)


def g_fma(x, y, z):
    for i in range(32):
        r = y[i]
        for _ in range(4):
            r = x[i] * y[i] + r
        z[i] = r
    return ("absolute", 2e-5)


def g_horner(x, y, c):
    for i in range(32):
        r = c[7]
        for k in range(6, -1, -1):
            r = f(f(r * x[i]) + c[k])
        y[i] = r


def g_geometry(a, b, y):
    for i in range(32):
        u, v = a[4 * i:4 * i + 3], b[4 * i:4 * i + 3]
        n = [p / math.hypot(*v) for p in v]
        d = sum(p * q for p, q in zip(n, u))
        y[12 * i:12 * i + 12] = [sum(p * q for p, q in zip(u, v)), math.hypot(*u), math.dist(u, v), *n, *cross(u, v),
                                 *[p - 2 * d * q for p, q in zip(u, n)]]
    return ("absolute", 1e-4)


def determinant(m):
    if len(m) == 1:
        return m[0][0]
    return sum((-1) ** k * m[0][k] * determinant([r[:k] + r[k + 1:] for r in m[1:]]) for k in range(len(m)))


def g_matrices(m, v, y, d):
    for i in range(8):
        c = [m[16 * i + 4 * k:16 * i + 4 * k + 4] for k in range(4)]
        w = [sum(c[k][r] * v[4 * i + k] for k in range(4)) for r in range(4)]
        y[4 * i:4 * i + 4] = [sum(p * q for p, q in zip(c[k], w)) for k in range(4)]
        d[i] = determinant(c)
    return ("absolute", 1e-3)


def g_pack(x, y, z):
    def near(v, n):  # a whole number nearest to v * n; either at a tie
        return round(v * n)
    for i in range(32):
        a, b = x[2 * i:2 * i + 2]
        halves = [struct.unpack("<H", struct.pack("<e", v))[0] for v in (a, b)]
        low, high = clamp(a, -1, 1), clamp(b, -1, 1)
        y[4 * i] = halves[0] | halves[1] << 16
        y[4 * i + 1] = near(low, 32767) & 0xffff | (near(high, 32767) & 0xffff) << 16
        y[4 * i + 2] = near(max(low, 0), 65535) | near(max(high, 0), 65535) << 16
        e, g = near(low, 127) & 255, near(high, 127) & 255
        y[4 * i + 3] = e | g << 8 | g << 16 | e << 24
        z[2 * i:2 * i + 2] = [h(a), h(b)]
    return ("half-either", 0)


def g_half(x, y):
    for i in range(32):
        y[i] = h(h(x[2 * i] + h(x[2 * i + 1] * 2.0)) * 0.25)
    return ("ulp", 2)  # Vulkan leaves the mode of rounding open


def g_double(a, b, y):
    for i in range(32):
        y[4 * i:4 * i + 4] = [a[i] + b[i], a[i] * b[i], a[i] / b[i], math.sqrt(b[i])]
    return ("ulp", 3)


def g_conversions(n, x, y, m):
    for i in range(32):
        y[2 * i:2 * i + 2] = [f(n[i]), f(n[i] & M32)]
        m[2 * i:2 * i + 2] = [math.trunc(x[i]), math.trunc(abs(x[i]))]
    return ("ulp", 1)


def g_exponentials(x, y):
    for i, v in enumerate(x):
        y[6 * i:6 * i + 6] = [math.exp(v), math.log(v), 2.0 ** v, math.log2(v), v ** 1.5, 1 / math.sqrt(v)]
    return ("relative", 1e-4)


def g_trig(x, y):
    for i, v in enumerate(x):
        y[6 * i:6 * i + 6] = [math.sin(v), math.cos(v), math.tan(v * 0.5), math.atan(v), math.asin(v * 0.25),
                              math.tanh(v)]
    return ("wide", 2.0 ** -10)  # sin and cos are within 2^-11, tan is their quotient


def g_common(x, y):
    for i, v in enumerate(x):
        y[8 * i:8 * i + 8] = [math.floor(v), math.ceil(v), math.trunc(v), round(v), abs(v), math.copysign(1, v),
                              min(v, 3.0), clamp(v, -5.0, 5.0)]
    return ("absolute", 0.0)


def g_mix(x, y):
    for i, v in enumerate(x):
        t = clamp(v, 0.0, 1.0)
        y[4 * i:4 * i + 4] = [1.0 + 2.0 * v, float(v >= 0.5), t * t * (3 - 2 * t), v - math.floor(v)]
    return ("absolute", 2e-6)


def g_parts(x, y, e):
    for i, v in enumerate(x):
        fraction, whole = math.modf(v)
        m, e[i] = math.frexp(v)
        y[4 * i:4 * i + 4] = [fraction, whole, m, m * 8]


def g_wide(x, y, z):
    for i in range(32):
        a, b = x[i], y[i]
        z[6 * i:6 * i + 6] = [a * b >> 32, a * b & M32, a + b & M32, a + b >> 32, a - b & M32, int(a < b)]


def g_sub_add(x, y):
    return lambda out: runs_of(x, out[1], 64, sum)


def g_sub_reduce(x, y):
    y[:] = [sum(x[:64]), sum(x[64:])]


def g_sub_scan(x, y, ids):
    return lambda out: scan_of(x, out[1], out[2], 64, True)


def g_sub_shuffle(x, y, ids):
    def look(out):
        for lanes in members(out[2], 2, 32):
            for k, i in enumerate(lanes):
                other = x[lanes[k ^ 1]] if k ^ 1 < len(lanes) else out[1][2 * i]
                if out[1][2 * i:2 * i + 2] != [other, x[lanes[0]]]:
                    return f"element {i}"
        return None
    return look


def g_sub_ballot(x, y):
    def look(out):
        if any(n != 1 for n in out[1][1::2]):
            return "a vote"
        return runs_of(x, out[1][0::2], 64, lambda part: sum(v & 1 for v in part))
    return look


def g_particles(x):
    for i in parts_of(len(x), 8):
        for k in range(3):
            x[i + k] = f(x[i + k] + f(x[i + 4 + k] * 0.125))
        v = f(x[i + 5] - 1.21875)
        x[i + 5] = -v if x[i + 1] < 0 else v


def g_nested(x, y):
    for i in range(16):
        mask, _, _, p, *rest = x[16 * i:16 * i + 16]
        r = 0
        for k in range(8):
            r ^= rest[k] if mask >> k & 1 else 0
        y[i] = r + rest[8 + mask % 3] + p & M32


def g_private(x, y):
    for i in parts_of(128, 8):
        y[i:i + 8] = sorted(x[i:i + 8], key=lambda v: v & 15)


def g_switch(x, y):
    for i, v in enumerate(x):
        r = 1
        while v:
            digit, v = v & 3, v >> 2
            if digit == 0:
                continue
            if digit == 3:
                r ^= M32
            else:
                r = (r * 5 & M32 if digit == 1 else r) ^ 0xabcd
            r = r + 3 & M32
        y[i] = r


def g_loops(x, y):
    for i, n in enumerate(x):
        if n % 7:
            y[2 * i:2 * i + 2] = [sum(d for d in range(1, n) if n % d == 0), collatz_of(n)]


def g_spec(x, y):
    y[:] = [v * 3 + 10 & M32 for v in x]


def g_uniform(u, x, y):
    for i in range(32):
        v, o = x[4 * i:4 * i + 4], u[16 + i % 2 * 4:20 + i % 2 * 4]
        y[4 * i:4 * i + 4] = [sum(u[4 * k + r] * v[k] for k in range(4)) + o[r] for r in range(4)]
    return ("absolute", 1e-5)


def g_length(x, y):
    y[:50] = x[::-1]


def g_int64(a, b, z):
    for i in range(16):
        z[3 * i:3 * i + 3] = [a[i] * b[i] & M64, a[i] // b[i], a[i] % b[i]]


def g_int8(x, y, z):
    z[:] = [i16(q * 3 + p) for p, q in zip(x, y)]


def g_inout(x, y):
    for i, v in enumerate(x):
        n, twice = 0, 0.0
        for _ in range(3):
            twice = v + v
            if abs(v) >= 1:
                v *= 0.5
                n += 1
        y[2 * i:2 * i + 2] = [f(v + twice), float(n)]


def g_modulo(a, b, r, m):
    for i in range(32):
        r[2 * i:2 * i + 2] = [a[i] % b[i], a[i] // b[i]]
        m[i] = math.fmod(a[i] / 16.0, 1.5)
    return ("modulo", 0.02)


# ---- comparison ----

def spacing(x, code):
    bits, emin = {"e": (11, -14), "f": (24, -126), "d": (53, -1022)}[code]
    e = max(math.frexp(x)[1] - 1, emin) if math.isfinite(x) and x != 0 else emin
    return 2.0 ** (e - bits + 1)


def is_close(got, wanted, code, rule):
    name, limit = rule
    if code not in "efd":
        is_open = name == "in-range" and not (-2 ** 31 <= wanted < 2 ** 31 if code == "i" else wanted >= 0)
        return got == wanted or name == "half-either" or is_open
    if math.isnan(wanted) or math.isnan(got):
        return math.isnan(wanted) and math.isnan(got)
    if name == "exact":
        return got == wanted and math.copysign(1, got) == math.copysign(1, wanted)
    if name == "ulp":
        return got == wanted or abs(got - wanted) <= limit * spacing(wanted, code)
    if name == "relative":
        return abs(got - wanted) <= limit * max(abs(wanted), 0.01)
    if name == "wide":
        return abs(got - wanted) <= limit * max(1.0, abs(wanted) ** 2)
    if name == "modulo":  # just below the modulus is as good as 0
        return min(abs(got - wanted), abs(abs(got - wanted) - 1.5)) <= limit
    return abs(got - wanted) <= limit


def is_near_packed(got, wanted):
    """Words of which each part may be one off: a tie, or a half next to the exact one."""
    parts_got, parts_wanted = ([n >> s & 255 for s in (0, 8, 16, 24)] for n in (got, wanted))
    return sum(abs(a - b) > 1 for a, b in zip(parts_got, parts_wanted)) == 0 or \
        all(abs((got >> s & 0xffff) - (wanted >> s & 0xffff)) <= 1 for s in (0, 16))


def compare(kernel, observed):
    """"right", or "wrong: ..." with the first difference, of the outputs in the folder."""
    inputs = kernel.inputs()
    values = [b.unpack(data) for b, data in zip(kernel.buffers, inputs)]
    outputs = []
    for i, b in enumerate(kernel.buffers):
        try:
            with open(f"{observed}/out-{i}.bin", "rb") as file:
                outputs.append(b.unpack(file.read()))
        except FileNotFoundError:
            outputs.append(b.unpack(inputs[i]))
    function = globals().get(kernel.source) or globals().get(kernel.source + "_")
    if function is None:
        return "-"
    answer = function(*values)
    if callable(answer):
        why = answer(outputs)
        return f"wrong: {why}" if why else "right"
    rule = answer or ("exact", 0)
    for i, b in enumerate(kernel.buffers):
        for k, (got, wanted) in enumerate(zip(outputs[i], values[i])):
            is_right = is_close(got, wanted, b.code, rule)
            if rule[0] == "half-either" and b.code == "I":
                is_right = is_near_packed(got, wanted)
            if not is_right:
                return f"wrong: buffer {i}[{k}] is {got}, not {wanted}"
    return "right"
