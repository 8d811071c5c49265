/* Structures with an array and a nested one, copied as a whole and changed in private memory.
 * out = in with the items turned round and the sum in the last word. */
struct inner {
    uint items[4];
};
struct outer {
    uint key;
    struct inner in;
    ushort a, b;
    uint tail[2];
};
__kernel void struct_copy(__global const struct outer *from, __global struct outer *to)
{
    struct outer x = from[get_global_id(0)], y = x;
    for (uint k = 0; k < 4; k++)
        y.in.items[k] = x.in.items[3 - k];
    y.a = x.b;
    y.b = x.a;
    y.tail[1] = x.key + x.tail[0];
    to[get_global_id(0)] = y;
}
