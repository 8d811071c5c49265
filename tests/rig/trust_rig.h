/* tests/rig/trust_rig.h -- modules that may be given to a driver, and each way out of a kernel that is known here as a
 * change of their text. Included once, after cmocka.h. */
#pragma once

#include <stdio.h>
#include <string.h>

#include "base/base.h"

enum {
    TEXT_BYTES = 16384
};

/* A kernel of two buffers: out[i] = in[i] + 1, after an atomic, a loop and a helper. */
static const char kernel[] =
    "OpCapability Kernel\nOpCapability Addresses\nOpCapability Int64\nOpCapability Int8\n"
    "OpCapability Vector16\n"
    "%std = OpExtInstImport \"OpenCL.std\"\n"
    "OpMemoryModel Physical64 OpenCL\n"
    "OpEntryPoint Kernel %main \"main\" %id\n"
    "; modes\n"
    "OpDecorate %id BuiltIn GlobalInvocationId\n"
    "; decorations\n"
    "%void = OpTypeVoid\n%bool = OpTypeBool\n%uint = OpTypeInt 32 0\n%ulong = OpTypeInt 64 0\n"
    "%uchar = OpTypeInt 8 0\n%float = OpTypeFloat 32\n"
    "%v4 = OpTypeVector %uint 4\n%v3 = OpTypeVector %ulong 3\n"
    "%p = OpTypePointer CrossWorkgroup %uint\n%pf = OpTypePointer CrossWorkgroup %float\n"
    "%pl = OpTypePointer Function %uint\n%pv = OpTypePointer Function %v4\n"
    "%pi = OpTypePointer Input %v3\n"
    "%c0 = OpConstant %uint 0\n%c1 = OpConstant %uint 1\n%c2 = OpConstant %uint 2\n"
    "%c3 = OpConstant %uint 3\n%c7 = OpConstant %uint 7\n%c8 = OpConstant %uint 8\n"
    "%c264 = OpConstant %uint 264\n%c255 = OpConstant %uchar 255\n%l0 = OpConstant %ulong 0\n"
    "%big = OpConstant %ulong 72057594037927936\n%wrap = OpConstant %ulong 4611686018427387904\n"
    "%id = OpVariable %pi Input\n"
    "%tf = OpTypeFunction %uint %uint\n%tm = OpTypeFunction %void %p %p\n"
    "; types\n"
    "%add = OpFunction %uint None %tf\n%x = OpFunctionParameter %uint\n%al = OpLabel\n"
    "%sum = OpIAdd %uint %x %c1\nOpReturnValue %sum\nOpFunctionEnd\n"
    "%main = OpFunction %void None %tm\n"
    "%in = OpFunctionParameter %p\n%out = OpFunctionParameter %p\n"
    "%l = OpLabel\n%var = OpVariable %pl Function\n%vec = OpVariable %pv Function\n"
    "%ids = OpLoad %v3 %id\n%wide = OpCompositeExtract %ulong %ids 0\n"
    "%i = OpUConvert %uint %wide\n"
    "%at = OpInBoundsPtrAccessChain %p %in %i\n"
    "%was = OpLoad %uint %at Aligned 4\n"
    "%to = OpInBoundsPtrAccessChain %p %out %i\n"
    "%seen = OpAtomicIAdd %uint %to %c1 %c0 %c1\n"
    "; body\n"
    "OpBranch %head\n%head = OpLabel\n%k = OpPhi %uint %c0 %l %k1 %next\n"
    "OpLoopMerge %done %next None\nOpBranch %test\n%test = OpLabel\n"
    "%more = OpULessThan %bool %k %c3\nOpBranchConditional %more %next %done\n"
    "%next = OpLabel\n%k1 = OpIAdd %uint %k %c1\nOpBranch %head\n"
    "%done = OpLabel\n"
    "%new = OpFunctionCall %uint %add %was\n"
    "OpStore %to %new Aligned 4\nOpReturn\nOpFunctionEnd\n";

/* A shader of two buffers that does the same. */
static const char shader[] =
    "OpCapability Shader\nOpMemoryModel Logical GLSL450\n"
    "OpEntryPoint GLCompute %main \"main\" %id %in %out\n"
    "OpExecutionMode %main LocalSize 4 1 1\n"
    "OpDecorate %id BuiltIn GlobalInvocationId\n"
    "OpDecorate %array ArrayStride 4\nOpDecorate %block Block\n"
    "OpMemberDecorate %block 0 Offset 0\n"
    "OpDecorate %in DescriptorSet 0\nOpDecorate %in Binding 0\n"
    "OpDecorate %out DescriptorSet 0\nOpDecorate %out Binding 1\n"
    "%void = OpTypeVoid\n%uint = OpTypeInt 32 0\n%v3 = OpTypeVector %uint 3\n"
    "%array = OpTypeRuntimeArray %uint\n%block = OpTypeStruct %array\n"
    "%pb = OpTypePointer StorageBuffer %block\n%p = OpTypePointer StorageBuffer %uint\n"
    "%pi = OpTypePointer Input %v3\n"
    "%c0 = OpConstant %uint 0\n%c1 = OpConstant %uint 1\n"
    "%id = OpVariable %pi Input\n%in = OpVariable %pb StorageBuffer\n"
    "%out = OpVariable %pb StorageBuffer\n"
    "%tm = OpTypeFunction %void\n%main = OpFunction %void None %tm\n%l = OpLabel\n"
    "%ids = OpLoad %v3 %id\n%i = OpCompositeExtract %uint %ids 0\n"
    "%at = OpAccessChain %p %in %c0 %i\n%was = OpLoad %uint %at\n"
    "%to = OpAccessChain %p %out %c0 %i\n%new = OpIAdd %uint %was %c1\n"
    "OpStore %to %new\nOpReturn\nOpFunctionEnd\n";

/* The text with the first `from` replaced; "" as `from`: nothing is. */
static inline void replace(char text[TEXT_BYTES], const char *from, const char *to)
{
    char old[TEXT_BYTES];
    char *at = from[0] ? strstr(text, from) : NULL;
    assert_true(!from[0] || at);
    if (at) {
        (void)strcpy(old, at + strlen(from));
        assert_true((size_t)(at - text) + strlen(to) + strlen(old) < TEXT_BYTES);
        (void)strcpy(at, to);
        (void)strcat(text, old);
    }
}

/* The text with up to three replacements, in `out`; NULL as either is "". */
static inline void change(char out[TEXT_BYTES], const char *text, const char *const from[3],
                          const char *const to[3])
{
    (void)snprintf(out, TEXT_BYTES, "%s", text);
    for (int k = 0; k < 3; k++) {
        replace(out, from[k] ? from[k] : "", to[k] ? to[k] : "");
    }
}

/* A change of one of these modules in up to three places, by which it can do harm. */
struct module_attack {
    const char *name;
    const char *from[3], *to[3];
    const char *reason; /* part of what is said */
};

static const struct module_attack on_kernel[] = {
    {"a call that leaves the module",
     {"OpCapability Int8\n", "; decorations\n", "; types\n"},
     {"OpCapability Int8\nOpCapability Linkage\n",
      "OpDecorate %sys LinkageAttributes \"system\" Import\n",
      "%sys = OpFunction %uint None %tf\n%sx = OpFunctionParameter %uint\nOpFunctionEnd\n"},
     "Linkage"                                                                                },
    {"an import without the capability",
     {"; decorations\n", "; types\n", ""},
     {"OpDecorate %sys LinkageAttributes \"system\" Import\n",
      "%sys = OpFunction %uint None %tf\n%sx = OpFunctionParameter %uint\nOpFunctionEnd\n", ""},
     "imports \"system\""                                                                     },
    {"an export, which others would call",
     {"; decorations\n", "", ""},
     {"OpDecorate %add LinkageAttributes \"malloc\" Export\n", "", ""},
     "\"malloc\""                                                                             },
    {"a function without a body",
     {"; types\n", "", ""},
     {"%sys = OpFunction %uint None %tf\n%sx = OpFunctionParameter %uint\nOpFunctionEnd\n", "", ""},
     "without a body"                                                                         },
    {"a name that a driver takes for one of its own",
     {"; modes\n", "", ""},
     {"OpName %add \"llvm.trap\"\n", "", ""},
     "name of a function"                                                                     },
    {"a kernel that runs when the program is loaded",
     {"; modes\n", "", ""},
     {"OpExecutionMode %main Initializer\n", "", ""},
     "execution mode 33"                                                                      },
    {"an extended instruction that is not known",
     {"; body\n", "", ""},
     {"%pr = OpExtInst %uint %std printf %i\n", "", ""},
     "extended instruction 184"                                                               },
    {"a set that is not known",
     {"OpMemoryModel", "", ""},
     {"%other = OpExtInstImport \"NonSemantic.DebugPrintf\"\nOpMemoryModel", "", ""},
     "NonSemantic.DebugPrintf"                                                                },
    {"an extension that is not known",
     {"%std =", "", ""},
     {"OpExtension \"SPV_INTEL_inline_assembly\"\n%std =", "", ""},
     "SPV_INTEL_inline_assembly"                                                              },
    {"a capability that is not known",
     {"OpCapability Int8\n", "", ""},
     {"OpCapability Int8\nOpCapability Pipes\n", "", ""},
     "capability 17"                                                                          },
    {"an instruction that is not known",
     {"; body\n", "", ""},
     {"%size = OpSizeOf %uint %to\n", "", ""},
     "instruction 321"                                                                        },
    {"a lifetime of a buffer",
     {"; body\n", "", ""},
     {"OpLifetimeStart %to 0\n", "", ""},
     "no variable"                                                                            },
    {"a copy of more than a value",
     {"; body\n", "", ""},
     {"OpCopyMemorySized %to %at %c264\n", "", ""},
     "out of bounds"                                                                          },
    {"an index behind the buffer",
     {"%p %out %i", "", ""},
     {"%p %out %c264", "", ""},
     "out of bounds"                                                                          },
    {"an index that comes of the number of the invocation",
     {"; body\n", "%p %in %i\n", ""},
     {"",
      "%p %in %i\n%far = OpIMul %uint %i %c2\n"
      "%fat = OpInBoundsPtrAccessChain %p %in %far\n%fw = OpLoad %uint %fat\n",
      ""},
     "out of bounds"                                                                          },
    {"an index that only the device knows",
     {"; body\n", "", ""},
     {"%fat = OpInBoundsPtrAccessChain %p %in %seen\n%fw = OpLoad %uint %fat\n", "", ""},
     "undetermined"                                                                           },
    {"an index that was written before",
     {"; body\n", "", ""},
     {"OpStore %at %c264\n%later = OpLoad %uint %at\n"
      "%fat = OpInBoundsPtrAccessChain %p %in %later\n%fw = OpLoad %uint %fat\n",
      "", ""},
     "undetermined"                                                                           },
    {"an index out of a float that a device may flush",
     {"; body\n", "", ""},
     {"%pc = OpCompositeExtract %ulong %ids 1\n%fl = OpConvertUToF %float %pc\n"
      "%fi = OpConvertFToU %uint %fl\n"
      "%fat = OpInBoundsPtrAccessChain %p %in %fi\n%fw = OpLoad %uint %fat\n",
      "", ""},
     "undetermined"                                                                           },
    {"an index out of a variable that was not set",
     {"; body\n", "", ""},
     {"%un = OpLoad %uint %var\n"
      "%fat = OpInBoundsPtrAccessChain %p %in %un\n%fw = OpLoad %uint %fat\n",
      "", ""},
     "undetermined"                                                                           },
    {"a byte that a device takes as negative",
     {"; body\n", "", ""},
     {"%far = OpInBoundsPtrAccessChain %p %in %c255\n%fw = OpLoad %uint %far\n", "", ""},
     "out of bounds"                                                                          },
    {"an index that wraps around",
     {"; body\n", "", ""},
     {"%far = OpInBoundsPtrAccessChain %p %in %wrap\n%fw = OpLoad %uint %far\n", "", ""},
     "out of bounds"                                                                          },
    {"a component that the variable does not have",
     {"; body\n", "", ""},
     {"%far = OpInBoundsAccessChain %pl %vec %c7\nOpStore %far %c1\n", "", ""},
     "out of bounds"                                                                          },
    {"a variable as if it were an array",
     {"; body\n", "", ""},
     {"%far = OpInBoundsPtrAccessChain %pl %var %c1\nOpStore %far %c1\n", "", ""},
     "to behind a variable of the function"                                                   },
    {"a number as a pointer",
     {"; body\n", "", ""},
     {"%far = OpConvertUToPtr %p %big\nOpStore %far %c1\n", "", ""},
     "made of a number"                                                                       },
    {"the bits of a number as a pointer",
     {"; body\n", "", ""},
     {"%far = OpBitcast %p %big\nOpStore %far %c1\n", "", ""},
     "pointer that is cast"                                                                   },
    {"a pointer to something else",
     {"; body\n", "", ""},
     {"%far = OpBitcast %pf %at\n%fb = OpInBoundsPtrAccessChain %pf %far %c255\n"
      "%fw = OpLoad %float %fb\n",
      "", ""},
     "out of bounds"                                                                          },
    {"an argument that is the handle of a buffer",
     {"OpTypeFunction %void %p %p", "%out = OpFunctionParameter %p\n", "%p %out %i"},
     {"OpTypeFunction %void %p %ulong", "%out = OpFunctionParameter %ulong\n", "%p %in %i"},
     "it needs a buffer of kind \"value\" and 8 bytes, and the case gives it kind \"storage\""},
    {"a third argument",
     {"OpTypeFunction %void %p %p", "%out = OpFunctionParameter %p\n", ""},
     {"OpTypeFunction %void %p %p %p",
      "%out = OpFunctionParameter %p\n%third = OpFunctionParameter %p\n", ""},
     "none of the case's buffers"                                                             },
    {"a function that is said to have no effects",
     {"%add = OpFunction %uint None", "", ""},
     {"%add = OpFunction %uint Const", "", ""},
     "no effects"                                                                             },
    {"an overflow that is said not to occur",
     {"; decorations\n", "; body\n", ""},
     {"OpDecorate %wraps NoUnsignedWrap\n",
      "%wraps = OpIMul %ulong %wrap %big\n%fat = OpInBoundsPtrAccessChain %p %in %wraps\n"
      "%fw = OpLoad %uint %fat\n",
      ""},
     "decorated not to wrap"                                                                  },
    {"a loop without an end",
     {"%more = OpULessThan %bool %k %c3", "", ""},
     {"%more = OpULessThanEqual %bool %c0 %k", "", ""},
     "more steps than the budget"                                                             },
    {"a loop that only the device could end",
     {"%k1 = OpIAdd %uint %k %c1", "%more = OpULessThan %bool %k %c3", ""},
     {"%k1 = OpIAdd %uint %k %c0",
      "%wait = OpAtomicLoad %uint %to %c1 %c0\n%more = OpULessThan %bool %wait %c3", ""},
     "may never end"                                                                          },
    {"a barrier that not all may reach",
     {"; body\n", "OpPhi %uint %c0 %l", ""},
     {"%odd = OpULessThan %bool %seen %c3\nOpSelectionMerge %join None\n"
      "OpBranchConditional %odd %bar %join\n%bar = OpLabel\nOpControlBarrier %c2 %c2 %c264\n"
      "OpBranch %join\n%join = OpLabel\n",
      "OpPhi %uint %c0 %join", ""},
     "not all invocations"                                                                    },
};

static const struct module_attack on_shader[] = {
    {"more invocations than the case says",
     {"LocalSize 4 1 1", "", ""},
     {"LocalSize 64 1 1", "", ""},
     "other than the case's work-group"                                                                                   },
    {"another descriptor set",
     {"%out DescriptorSet 0", "", ""},
     {"%out DescriptorSet 1", "", ""},
     "descriptor set"                                                                                                     },
    {"a binding that there is not",
     {"%out Binding 1", "", ""},
     {"%out Binding 2", "", ""},
     "none of the case's buffers"                                                                                         },
    {"a binding given twice",
     {"%out Binding 1", "", ""},
     {"%out Binding 1\nOpDecorate %out Binding 0", "", ""},
     "twice"                                                                                                              },
    {"a member further on",                                 {"Offset 0", "", ""},      {"Offset 4096", "", ""},   "Offset"},
    {"elements further apart",                              {"ArrayStride 4", "", ""}, {"ArrayStride 1", "", ""}, "stride"},
    {"an index behind the buffer",
     {"%new = OpIAdd", "", ""},
     {"%far = OpIMul %uint %i %i\n%fat = OpAccessChain %p %in %c0 %far\n"
      "%fw = OpLoad %uint %fat\n%new = OpIAdd",
      "", ""},
     "out of bounds"                                                                                                      },
    {"another entry point that is said to have no effects",
     {"OpExecutionMode", "%main = OpFunction", ""},
     {"OpEntryPoint GLCompute %other \"other\" %id %in %out\nOpExecutionMode",
      "%other = OpFunction %void Pure %tm\n%ol = OpLabel\nOpReturn\nOpFunctionEnd\n"
      "%main = OpFunction",
      ""},
     "no effects"                                                                                                         },
    {"too many entry points",
     {"OpExecutionMode", "", ""},
     {"OpEntryPoint GLCompute %main \"a\" %id\nOpEntryPoint GLCompute %main \"b\" %id\n"
      "OpEntryPoint GLCompute %main \"c\" %id\nOpEntryPoint GLCompute %main \"d\" %id\n"
      "OpExecutionMode",
      "", ""},
     "too many entry points"                                                                                              },
};

/* The second buffer is reached by its address, which is made a pointer of. */
static const char by_address[] = "OpCapability Shader\n"
                                 "OpCapability Int64\n"
                                 "OpCapability PhysicalStorageBufferAddresses\n"
                                 "OpExtension \"SPV_KHR_physical_storage_buffer\"\n"
                                 "OpExtension \"SPV_KHR_storage_buffer_storage_class\"\n"
                                 "OpMemoryModel PhysicalStorageBuffer64 GLSL450\n"
                                 "OpEntryPoint GLCompute %main \"main\"\n"
                                 "OpExecutionMode %main LocalSize 4 1 1\n"
                                 "OpDecorate %array ArrayStride 4\n"
                                 "OpDecorate %block Block\n"
                                 "OpMemberDecorate %block 0 Offset 0\n"
                                 "OpDecorate %holder Block\n"
                                 "OpMemberDecorate %holder 0 Offset 0\n"
                                 "OpDecorate %at DescriptorSet 0\n"
                                 "OpDecorate %at Binding 1\n"
                                 "%void = OpTypeVoid\n"
                                 "%u = OpTypeInt 32 0\n"
                                 "%ul = OpTypeInt 64 0\n"
                                 "%c0 = OpConstant %u 0\n"
                                 "%c1 = OpConstant %u 1\n"
                                 "%big = OpConstant %ul 8589934592\n"
                                 "%array = OpTypeRuntimeArray %u\n"
                                 "%block = OpTypeStruct %array\n"
                                 "%p_block = OpTypePointer PhysicalStorageBuffer %block\n"
                                 "%p_u = OpTypePointer PhysicalStorageBuffer %u\n"
                                 "%holder = OpTypeStruct %ul\n"
                                 "%p_holder = OpTypePointer StorageBuffer %holder\n"
                                 "%p_ul = OpTypePointer StorageBuffer %ul\n"
                                 "%at = OpVariable %p_holder StorageBuffer\n"
                                 "%fn = OpTypeFunction %void\n"
                                 "%main = OpFunction %void None %fn\n"
                                 "%entry = OpLabel\n"
                                 "%there = OpAccessChain %p_ul %at %c0\n"
                                 "%address = OpLoad %ul %there\n"
                                 "; more\n"
                                 "%pointer = OpConvertUToPtr %p_block %address\n"
                                 "%cell = OpAccessChain %p_u %pointer %c0 %c1\n"
                                 "%old = OpAtomicIAdd %u %cell %c1 %c0 %c1\n"
                                 "OpReturn\n"
                                 "OpFunctionEnd\n";

/* Changes of that text, and why it is refused. */
static const struct {
    const char *from, *to, *reason; /* "": it is fit */
} on_address[] = {
    {"",                   "",                                 ""                },
    {"%pointer %c0 %c1\n", "%pointer %c0 %big\n",              "out of bounds"   },
    {"%p_block %address",  "%p_block %big",                    "made of a number"},
    {"; more",             "%far = OpIAdd %ul %address %big",  "used as a number"},
    {"; more",             "%far = OpCopyObject %ul %address", "used as a number"},
    {"; more",             "%far = OpUConvert %u %address",    "used as a number"},
    {"; more",             "OpStore %there %big",              "out of bounds"   },
};
