"""scripts/kernels/bundle.py -- a bundle of each kernel of corpora/kernels: compiled, with inputs that its row describes.

Inputs come from the kernel's name alone, so that they are the same in each run."""

import json
import os
import random
import re
import struct
import subprocess

CODES = {"f16": "e", "f32": "f", "f64": "d", "u8": "B", "u16": "H", "u32": "I", "u64": "Q",
         "i8": "b", "i16": "h", "i32": "i", "i64": "q"}
KINDS = {"s": "storage", "c": "constant", "p": "push", "v": "value"}
HARD = {
    "f16": [0x0000, 0x8000, 0x0001, 0x83ff, 0x0400, 0x3c00, 0xbc00, 0x3e00, 0x4100, 0x7bff, 0xfbff, 0x7c00, 0xfc00,
            0x7e00, 0x5640, 0xd8f0],
    "f32": [0x00000000, 0x80000000, 0x00000001, 0x807fffff, 0x00800000, 0x3f800000, 0xbf800000, 0x3f000000,
            0xbf000000, 0x3fc00000, 0xc0200000, 0x4b7fffff, 0xcb000001, 0x42fffffe, 0x437f8000, 0x47000000,
            0xc7000100, 0x4f000000, 0xcf000000, 0x4effffff, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000,
            0x7fc00000, 0x3effffff, 0x477fe000, 0x477ff000, 0x33000000, 0x387fc000, 0x43000000, 0xc3008000],
    "f64": [0, 1 << 63, 1, 0x3ff0000000000000, 0x7fefffffffffffff, 0x7ff0000000000000, 0x7ff8000000000000]}


class Buffer:
    """One column of a row: KIND:TYPE:COUNT:HOW."""

    def __init__(self, text):
        kind, self.type, count, self.how = text.split(":", 3)
        self.kind = KINDS[kind]
        self.count = int(count)
        self.code = CODES[self.type]

    def size(self):
        if self.kind == "value":  # as the kernel's argument has it; a vector of 3 as one of 4
            return self.count * struct.calcsize(self.code)
        return (self.count * struct.calcsize(self.code) + 3) // 4 * 4

    def pack(self, values):
        data = struct.pack(f"<{self.count}{self.code}", *values)
        return data + bytes(self.size() - len(data))

    def unpack(self, data):
        return list(struct.unpack_from(f"<{self.count}{self.code}", data))

    def make(self, rng):
        """The content before the kernel runs, as bytes."""
        name, _, arguments = self.how.partition("(")
        numbers = arguments.rstrip(")").split(",") if arguments else []
        width = struct.calcsize(self.code)
        if name == "any":
            return rng.randbytes(self.count * width).ljust(self.size(), b"\0")
        if name == "hard":
            code = {2: "H", 4: "I", 8: "Q"}[width]
            bits = [rng.choice(HARD[self.type]) if rng.random() < 0.7 else
                    struct.unpack("<" + code, struct.pack("<" + self.code, rng.uniform(-300, 300)))[0]
                    for _ in range(self.count)]
            return struct.pack(f"<{self.count}{code}", *bits).ljust(self.size(), b"\0")
        if name == "r":
            low, high = map(float, numbers)
            values = [rng.uniform(low, high) for _ in range(self.count)]
        elif name == "whole":
            values = [float(rng.randint(int(numbers[0]), int(numbers[1]))) for _ in range(self.count)]
        elif name == "i":
            values = [rng.randint(int(numbers[0]), int(numbers[1])) for _ in range(self.count)]
        elif name == "sorted":
            values = sorted(rng.randrange(1 << 8 * width) for _ in range(self.count))
        elif name == "set":
            values = [float(n) if self.type[0] == "f" else int(n) for n in numbers]
        elif name == "fill":
            values = [int(numbers[0])] * self.count
        else:
            assert name == "zero", self.how
            values = [0] * self.count
        return self.pack(values)


class Kernel:
    """A row of kernels.tsv."""

    def __init__(self, line):
        fields = line.rstrip("\n").split("\t")
        self.name, self.language, self.options, local, groups, buffers, self.expected = fields
        self.local = ([int(n) for n in local.split(",")] + [1, 1])[:3]
        self.groups = ([int(n) for n in groups.split(",")] + [1, 1])[:3]
        self.buffers = [Buffer(text) for text in buffers.split()]
        self.source = self.name.split("@")[0]

    def inputs(self):
        rng = random.Random(self.source)
        return [b.make(rng) for b in self.buffers]


def read_rows(path):
    with open(path, encoding="ascii") as f:
        return [Kernel(line) for line in f if line.strip() and line[0] != "#"]


def run(*command):
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if result.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: {result.stdout.decode(errors='replace')[:2000]}")
    return result.stdout.decode(errors="replace")


def compile_opencl(kernel, source, folder):
    """By clang and the translator. "--" options are the translator's."""
    options = [o for o in kernel.options.split() if o != "-"]
    clang = [o for o in options if not o.startswith("--")]
    translator = [o for o in options if o.startswith("--")]
    if not any(o.startswith("-cl-std") for o in clang):
        clang.append("-cl-std=CL2.0")
    run(os.environ.get("CLANG", "clang"), "-target", "spir64", "-x", "cl", "-Xclang", "-finclude-default-header", "-w",
        "-emit-llvm", "-c", *clang, source, "-o", f"{folder}/kernel.bc")
    if not any(o.startswith("--spirv-max-version") for o in translator):
        translator.append("--spirv-max-version=1.2")
    run(os.environ.get("LLVM_SPIRV", "llvm-spirv-14"), *translator, f"{folder}/kernel.bc",
        "-o", f"{folder}/kernel.spv")


def compile_glsl(kernel, source, folder):
    options = [o for o in kernel.options.split() if o != "-"]
    if not any(o.startswith("--target-env") for o in options):
        options += ["--target-env", "vulkan1.1"]
    run(os.environ.get("GLSLANG", "glslangValidator"), "-V", *options, "-S", "comp", source, "-o",
        f"{folder}/kernel.spv")


def read_needs(text, source, env, caps):
    """The needs whose capability the module declares, by base/caps.def; of OpenCL's groups the source tells which."""
    needs = ["CL_SUBGROUPS"] if "sub_group_" in source else []
    if "work_group_" in source and env == "opencl":
        needs.append("CL_WG_COLLECTIVES")
    declared = set(re.findall(r"OpCapability (\w+)", text))
    wanted = {"Float64": "F64", "GenericPointer": "CL_GENERIC", "Int64Atomics": "CL_I64_ATOMICS",
              "AtomicFloat32AddEXT": "F32_GLOBAL_ADD", "GroupNonUniformShuffle": "SG_SHUFFLE",
              "GroupNonUniformBallot": "SG_BALLOT", "GroupNonUniformArithmetic": "SG_ARITHMETIC",
              "Float16": "F16", "StorageBuffer16BitAccess": "VK_16BIT_STORAGE", "StorageBuffer8BitAccess": "VK_8BIT_STORAGE",
              "Int64": "VK_I64", "Int16": "VK_I16", "Int8": "VK_I8", "GroupNonUniformVote": "SG_VOTE", "GroupNonUniformClustered": "SG_CLUSTERED"}
    prefix = "CL_" if env == "opencl" else "VK_"
    for capability in sorted(declared & set(wanted)):
        name = wanted[capability]
        name = name if name.startswith(("CL_", "VK_")) else prefix + name
        if prefix == "VK_":
            name = {"VK_F32_GLOBAL_ADD": "VK_F32_BUFFER_ADD"}.get(name, name)
        if name.startswith(prefix) and f"CAP({name}," in caps:
            needs.append(name)
    return needs


def order_blocks(lines):
    """OpenCL alone: each function's blocks in reverse postorder, and without OpLoopMerge. The translator leaves the order
    of LLVM, in which a block may stand before its dominator (SPIR-V 2.16.1 forbids that), and puts OpLoopMerge behind
    which no branch comes; kernels need none. Variables go to the front of the first block (2.4)."""
    out, blocks, label = [], {}, None
    for line in lines:
        words = line.split()
        if "OpLabel" in words:
            label = words[0]
            blocks[label] = []
        if label is None:
            out.append(line)
        elif words[:1] == ["OpFunctionEnd"]:
            done, order = set(), []

            def visit(name):
                stack = [(name, iter(next_blocks(blocks[name])))]
                done.add(name)
                while stack:
                    at, rest = stack[-1]
                    other = next((b for b in rest if b not in done), None)
                    if other is None:
                        order.append(at)
                        stack.pop()
                    else:
                        done.add(other)
                        stack.append((other, iter(next_blocks(blocks[other]))))

            first = next(iter(blocks))
            visit(first)
            variables = [text for name in order for text in blocks[name] if "= OpVariable " in text]
            for name in order:
                blocks[name] = [text for text in blocks[name] if "= OpVariable " not in text]
            blocks[first][1:1] = variables
            out += [text for name in reversed(order) for text in blocks[name]] + [line]
            blocks, label = {}, None
        elif not words or words[0] not in ("OpLoopMerge", "OpSelectionMerge"):
            blocks[label].append(line)
    return out


def next_blocks(block):
    """Labels that the block's terminator names."""
    words = block[-1].split()
    if words[0] == "OpBranch":
        return words[1:2]
    if words[0] == "OpBranchConditional":
        return words[2:4]
    return [w for w in words[2:] if w[0] == "%"] if words[0] == "OpSwitch" else []


def make(kernel, sources, folder, caps):
    """The bundle; it loses what a driver does not need: names, linkage, the texts of the compilers."""
    os.makedirs(folder, exist_ok=True)
    is_opencl = kernel.language == "opencl"
    source = f"{sources}/{kernel.language}/{kernel.source}.{'cl' if is_opencl else 'comp'}"
    (compile_opencl if is_opencl else compile_glsl)(kernel, source, folder)
    run("spirv-dis", "--raw-id", f"{folder}/kernel.spv", "-o", f"{folder}/kernel.spvasm")
    with open(f"{folder}/kernel.spvasm", encoding="utf-8") as f:
        lines = f.readlines()
    version = next(line.split()[-1] for line in lines if line.startswith("; Version:"))
    dropped = re.compile(r"OpCapability Linkage|LinkageAttributes|OpSourceExtension|OpSource |OpName |OpMemberName |"
                         r"OpModuleProcessed")
    lines = [line for line in lines if not dropped.search(line)]
    with open(source, encoding="ascii") as f:
        text = f.read()
    if is_opencl and "cl_khr_fp16" in text:  # the translator declares Float16Buffer alone, which permits pointers only
        lines = ["OpCapability Float16\n" + line if "OpCapability Float16Buffer" in line else line for line in lines]
    kept = "".join(order_blocks(lines) if is_opencl else lines)
    with open(f"{folder}/stripped.spvasm", "w", encoding="utf-8") as f:
        f.write(kept)
    run("spirv-as", "--preserve-numeric-ids", "--target-env", f"spv{version}", f"{folder}/stripped.spvasm", "-o",
        f"{folder}/module.spv")
    run("spirv-val", "--target-env", f"spv{version}" if is_opencl else "vulkan1.2", f"{folder}/module.spv")
    env = "opencl" if is_opencl else "vulkan"
    case = {"halfulp_case": 1, "env": env, "class": "legal", "profile": "all", "gen_version": 8,
            "tape_hash": "0x0", "module": "module.spv", "entry": kernel.source if is_opencl else "main",
            "build_options": "", "local": kernel.local,
            "global": [a * b for a, b in zip(kernel.local, kernel.groups)], "dispatches": 1, "subgroup_size": 0,
            "full_subgroups": 0, "needs": read_needs(kept, text, env, caps), "buffers": []}
    for i, (buffer, data) in enumerate(zip(kernel.buffers, kernel.inputs())):
        with open(f"{folder}/in-{i}.bin", "wb") as f:
            f.write(data)
        case["buffers"].append({"kind": buffer.kind, "bytes": buffer.size(), "width": 0, "height": 0,
                                "in": f"in-{i}.bin"})
    with open(f"{folder}/case.json", "w", encoding="ascii") as f:
        json.dump(case, f, indent=1)
