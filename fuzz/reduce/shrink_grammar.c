/* fuzz/reduce/shrink_grammar.c -- which words of an instruction are ids, and of what kind. */
#include "fuzz/reduce/shrink_grammar.h"

/*
 * Operands of the opcodes first to last, a character each:
 *   t result type  r result  v value  b label  f other id  s scope  m memory semantics
 *   d id that is only spoken of  l literal  c string  a memory access, may be absent
 * What follows a '|' may come any number of times. Rows are sorted.
 */
static const struct shape {
    uint16_t first, last;
    const char *operands;
} shapes[] = {
    {SpvOpNop,                             SpvOpNop,                             ""          },
    {SpvOpUndef,                           SpvOpUndef,                           "tr"        },
    {SpvOpSource,                          SpvOpSource,                          "ll"        },
    {SpvOpExtension,                       SpvOpExtension,                       "c"         },
    {SpvOpExtInstImport,                   SpvOpExtInstImport,                   "rc"        },
    {SpvOpExtInst,                         SpvOpExtInst,                         "trfl|v"    },
    {SpvOpMemoryModel,                     SpvOpMemoryModel,                     "ll"        },
    {SpvOpEntryPoint,                      SpvOpEntryPoint,                      "lfc|d"     },
    {SpvOpExecutionMode,                   SpvOpExecutionMode,                   "dl|l"      },
    {SpvOpCapability,                      SpvOpCapability,                      "l"         },
    {SpvOpTypeVoid,                        SpvOpTypeBool,                        "r"         },
    {SpvOpTypeInt,                         SpvOpTypeInt,                         "rll"       },
    {SpvOpTypeFloat,                       SpvOpTypeFloat,                       "rl|l"      },
    {SpvOpTypeVector,                      SpvOpTypeMatrix,                      "rfl"       },
    {SpvOpTypeImage,                       SpvOpTypeImage,                       "rfllllll|l"},
    {SpvOpTypeSampler,                     SpvOpTypeSampler,                     "r"         },
    {SpvOpTypeSampledImage,                SpvOpTypeSampledImage,                "rf"        },
    {SpvOpTypeArray,                       SpvOpTypeArray,                       "rff"       },
    {SpvOpTypeRuntimeArray,                SpvOpTypeRuntimeArray,                "rf"        },
    {SpvOpTypeStruct,                      SpvOpTypeStruct,                      "r|f"       },
    {SpvOpTypeOpaque,                      SpvOpTypeOpaque,                      "rc"        },
    {SpvOpTypePointer,                     SpvOpTypePointer,                     "rlf"       },
    {SpvOpTypeFunction,                    SpvOpTypeFunction,                    "rf|f"      },
    {SpvOpTypeEvent,                       SpvOpTypeQueue,                       "r"         },
    {SpvOpConstantTrue,                    SpvOpConstantFalse,                   "tr"        },
    {SpvOpConstant,                        SpvOpConstant,                        "trl|l"     },
    {SpvOpConstantComposite,               SpvOpConstantComposite,               "tr|f"      },
    {SpvOpConstantNull,                    SpvOpConstantNull,                    "tr"        },
    {SpvOpSpecConstantTrue,                SpvOpSpecConstantFalse,               "tr"        },
    {SpvOpSpecConstant,                    SpvOpSpecConstant,                    "trl|l"     },
    {SpvOpSpecConstantComposite,           SpvOpSpecConstantComposite,           "tr|f"      },
    {SpvOpSpecConstantOp,                  SpvOpSpecConstantOp,                  "trl|f"     },
    {SpvOpFunction,                        SpvOpFunction,                        "trlf"      },
    {SpvOpFunctionParameter,               SpvOpFunctionParameter,               "tr"        },
    {SpvOpFunctionEnd,                     SpvOpFunctionEnd,                     ""          },
    {SpvOpFunctionCall,                    SpvOpFunctionCall,                    "trf|v"     },
    {SpvOpVariable,                        SpvOpVariable,                        "trl|f"     },
    {SpvOpImageTexelPointer,               SpvOpImageTexelPointer,               "trvvv"     },
    {SpvOpLoad,                            SpvOpLoad,                            "trva"      },
    {SpvOpStore,                           SpvOpCopyMemory,                      "vva"       },
    {SpvOpCopyMemorySized,                 SpvOpCopyMemorySized,                 "vvva"      },
    {SpvOpAccessChain,                     SpvOpInBoundsAccessChain,             "trv|v"     },
    {SpvOpPtrAccessChain,                  SpvOpPtrAccessChain,                  "trvv|v"    },
    {SpvOpArrayLength,                     SpvOpArrayLength,                     "trvl"      },
    {SpvOpGenericPtrMemSemantics,          SpvOpGenericPtrMemSemantics,          "trv"       },
    {SpvOpInBoundsPtrAccessChain,          SpvOpInBoundsPtrAccessChain,          "trvv|v"    },
    {SpvOpDecorate,                        SpvOpDecorate,                        "dl|l"      },
    {SpvOpMemberDecorate,                  SpvOpMemberDecorate,                  "dll|l"     },
    {SpvOpVectorExtractDynamic,            SpvOpVectorExtractDynamic,            "trvv"      },
    {SpvOpVectorInsertDynamic,             SpvOpVectorInsertDynamic,             "trvvv"     },
    {SpvOpVectorShuffle,                   SpvOpVectorShuffle,                   "trvv|l"    },
    {SpvOpCompositeConstruct,              SpvOpCompositeConstruct,              "tr|v"      },
    {SpvOpCompositeExtract,                SpvOpCompositeExtract,                "trv|l"     },
    {SpvOpCompositeInsert,                 SpvOpCompositeInsert,                 "trvv|l"    },
    {SpvOpCopyObject,                      SpvOpTranspose,                       "trv"       },
    {SpvOpImageRead,                       SpvOpImageRead,                       "trvv"      },
    {SpvOpImageWrite,                      SpvOpImageWrite,                      "vvv"       },
    {SpvOpConvertFToU,                     SpvOpGenericCastToPtr,                "trv"       },
    {SpvOpGenericCastToPtrExplicit,        SpvOpGenericCastToPtrExplicit,        "trvl"      },
    {SpvOpBitcast,                         SpvOpBitcast,                         "trv"       },
    {SpvOpSNegate,                         SpvOpFNegate,                         "trv"       },
    {SpvOpIAdd,                            SpvOpSMulExtended,                    "trvv"      },
    {SpvOpAny,                             SpvOpSignBitSet,                      "trv"       },
    {SpvOpLessOrGreater,                   SpvOpLogicalAnd,                      "trvv"      },
    {SpvOpLogicalNot,                      SpvOpLogicalNot,                      "trv"       },
    {SpvOpSelect,                          SpvOpSelect,                          "trvvv"     },
    {SpvOpIEqual,                          SpvOpFUnordGreaterThanEqual,          "trvv"      },
    {SpvOpShiftRightLogical,               SpvOpBitwiseAnd,                      "trvv"      },
    {SpvOpNot,                             SpvOpNot,                             "trv"       },
    {SpvOpBitFieldInsert,                  SpvOpBitFieldInsert,                  "trvvvv"    },
    {SpvOpBitFieldSExtract,                SpvOpBitFieldUExtract,                "trvvv"     },
    {SpvOpBitReverse,                      SpvOpBitCount,                        "trv"       },
    {SpvOpControlBarrier,                  SpvOpControlBarrier,                  "ssm"       },
    {SpvOpMemoryBarrier,                   SpvOpMemoryBarrier,                   "sm"        },
    {SpvOpAtomicLoad,                      SpvOpAtomicLoad,                      "trvsm"     },
    {SpvOpAtomicStore,                     SpvOpAtomicStore,                     "vsmv"      },
    {SpvOpAtomicExchange,                  SpvOpAtomicExchange,                  "trvsmv"    },
    {SpvOpAtomicCompareExchange,           SpvOpAtomicCompareExchangeWeak,       "trvsmmvv"  },
    {SpvOpAtomicIIncrement,                SpvOpAtomicIDecrement,                "trvsm"     },
    {SpvOpAtomicIAdd,                      SpvOpAtomicXor,                       "trvsmv"    },
    {SpvOpPhi,                             SpvOpPhi,                             "tr|vb"     },
    {SpvOpLoopMerge,                       SpvOpLoopMerge,                       "bbl|l"     },
    {SpvOpSelectionMerge,                  SpvOpSelectionMerge,                  "bl"        },
    {SpvOpLabel,                           SpvOpLabel,                           "r"         },
    {SpvOpBranch,                          SpvOpBranch,                          "b"         },
    {SpvOpBranchConditional,               SpvOpBranchConditional,               "vbb|l"     },
    {SpvOpSwitch,                          SpvOpSwitch,                          "vb|lb"     },
    {SpvOpKill,                            SpvOpReturn,                          ""          },
    {SpvOpReturnValue,                     SpvOpReturnValue,                     "v"         },
    {SpvOpUnreachable,                     SpvOpUnreachable,                     ""          },
    {SpvOpLifetimeStart,                   SpvOpLifetimeStop,                    "vl"        },
    {SpvOpGroupAll,                        SpvOpGroupAny,                        "trsv"      },
    {SpvOpGroupBroadcast,                  SpvOpGroupBroadcast,                  "trsvv"     },
    {SpvOpGroupIAdd,                       SpvOpGroupSMax,                       "trslv"     },
    {SpvOpAtomicFlagTestAndSet,            SpvOpAtomicFlagTestAndSet,            "trvsm"     },
    {SpvOpAtomicFlagClear,                 SpvOpAtomicFlagClear,                 "vsm"       },
    {SpvOpExecutionModeId,                 SpvOpDecorateId,                      "dl|f"      },
    {SpvOpGroupNonUniformElect,            SpvOpGroupNonUniformElect,            "trs"       },
    {SpvOpGroupNonUniformAll,              SpvOpGroupNonUniformAllEqual,         "trsv"      },
    {SpvOpGroupNonUniformBroadcast,        SpvOpGroupNonUniformBroadcast,        "trsvv"     },
    {SpvOpGroupNonUniformBroadcastFirst,   SpvOpGroupNonUniformInverseBallot,    "trsv"      },
    {SpvOpGroupNonUniformBallotBitExtract, SpvOpGroupNonUniformBallotBitExtract, "trsvv"     },
    {SpvOpGroupNonUniformBallotBitCount,   SpvOpGroupNonUniformBallotBitCount,   "trslv"     },
    {SpvOpGroupNonUniformBallotFindLSB,    SpvOpGroupNonUniformBallotFindMSB,    "trsv"      },
    {SpvOpGroupNonUniformShuffle,          SpvOpGroupNonUniformShuffleDown,      "trsvv"     },
    {SpvOpGroupNonUniformIAdd,             SpvOpGroupNonUniformLogicalXor,       "trslv|f"   },
    {SpvOpGroupNonUniformQuadBroadcast,    SpvOpGroupNonUniformQuadSwap,         "trsvf"     },
    {SpvOpCopyLogical,                     SpvOpCopyLogical,                     "trv"       },
    {SpvOpPtrEqual,                        SpvOpPtrDiff,                         "trvv"      },
    {SPV_OP_FMA_KHR,                       SPV_OP_FMA_KHR,                       "trvvv"     },
    {SpvOpGroupNonUniformRotateKHR,        SpvOpGroupNonUniformRotateKHR,        "trsvv|f"   },
    {SpvOpSDot,                            SpvOpSUDot,                           "trvv|l"    },
    {SpvOpSDotAccSat,                      SpvOpSUDotAccSat,                     "trvvv|l"   },
    {SpvOpGroupIAddNonUniformAMD,          SpvOpGroupSMaxNonUniformAMD,          "trslv"     },
    {SPV_OP_QUAD_ALL_KHR,                  SPV_OP_QUAD_ANY_KHR,                  "trv"       },
    {SPV_OP_PARTITION_EXT,                 SPV_OP_PARTITION_EXT,                 "trv"       },
    {SpvOpSubgroupShuffleINTEL,            SpvOpSubgroupShuffleINTEL,            "trvv"      },
    {SpvOpSubgroupShuffleDownINTEL,        SpvOpSubgroupShuffleUpINTEL,          "trvvv"     },
    {SpvOpSubgroupShuffleXorINTEL,         SpvOpSubgroupShuffleXorINTEL,         "trvv"      },
    {SpvOpAtomicFMinEXT,                   SpvOpAtomicFMaxEXT,                   "trvsmv"    },
    {SpvOpAtomicFAddEXT,                   SpvOpAtomicFAddEXT,                   "trvsmv"    },
    {SpvOpGroupIMulKHR,                    SpvOpGroupLogicalXorKHR,              "trslv"     },
};

static const struct shape *find_shape(uint32_t op)
{
    size_t lo = 0;
    size_t hi = ARRAY_N(shapes);
    while (lo < hi) {
        size_t const mid = lo + (hi - lo) / 2;
        if (op > shapes[mid].last) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    return lo < ARRAY_N(shapes) && op >= shapes[lo].first ? &shapes[lo] : NULL;
}

/* Words of the string that starts at w; 0: it does not end within n words. */
static uint32_t string_words(const uint32_t *w, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        for (unsigned shift = 0; shift < 32; shift += 8) {
            if ((w[i] >> shift & 0xff) == 0) {
                return i + 1;
            }
        }
    }
    return 0;
}

/* Find the roles of the memory access operands of a load or store, which begin at word `at`: nothing, or a
 * mask and what its bits ask for. True: they are understood and end at the last word. */
static bool find_access_roles(const uint32_t *w, uint32_t n, uint32_t at, uint8_t *role)
{
    uint32_t const known = 0x3f; /* the bits from Volatile to NonPrivatePointer */
    if (at == n) {
        return true;
    }
    uint32_t const mask = w[at];
    role[at++] = ROLE_LITERAL;
    if (mask & ~known) {
        return false;
    }
    /* what the bits of the mask ask for follows in the order of the bits */
    if (mask & (uint32_t)SpvMemoryAccessAlignedMask && at < n) {
        role[at++] = ROLE_LITERAL;
    }
    if (mask & (uint32_t)SpvMemoryAccessMakePointerAvailableMask && at < n) {
        role[at++] = ROLE_SCOPE;
    }
    if (mask & (uint32_t)SpvMemoryAccessMakePointerVisibleMask && at < n) {
        role[at++] = ROLE_SCOPE;
    }
    return at == n;
}

/* The role that a letter of a shape stands for (see the table of shapes). Letters without a role of their
 * own, such as strings and numbers, are literals. */
static enum shrink_role role_of(char letter)
{
    static const struct {
        char letter;
        enum shrink_role role;
    } roles[] = {
        {'r', ROLE_RESULT   },
        {'v', ROLE_VALUE    },
        {'b', ROLE_LABEL    },
        {'t', ROLE_FIXED    },
        {'f', ROLE_FIXED    },
        {'s', ROLE_SCOPE    },
        {'m', ROLE_SEMANTICS},
        {'d', ROLE_TARGET   },
    };
    for (size_t i = 0; i < ARRAY_N(roles); i++) {
        if (roles[i].letter == letter) {
            return roles[i].role;
        }
    }
    return ROLE_LITERAL;
}

/* Find the role of each word of an instruction: an id that is used, a label, a literal and so
 * on. 0: the instruction is unknown, or its words do not fit its shape. The letters of the shape
 * are read in step with the words. At the end of the letters those after the '|' are repeated as
 * long as there are words; the words must not end inside a repetition. */
int shrink_grammar_find_roles(const uint32_t *w, uint32_t n, uint8_t *role)
{
    const struct shape *const shape = find_shape(w[0] & SpvOpCodeMask);
    if (!shape) {
        return 0;
    }
    const char *letter = shape->operands;
    const char *repeated = NULL; /* what follows the '|', once that is passed */
    uint32_t at = 1;
    role[0] = ROLE_LITERAL;
    for (;;) {
        if (*letter == '|') {
            repeated = ++letter;
        }
        bool const is_whole = *letter == 0 || letter == repeated; /* may the words end here? */
        if (is_whole && at == n) {
            return 1;
        }
        if (*letter == 0) {
            if (!repeated || *repeated == 0) {
                return 0;
            }
            letter = repeated;
        }
        if (*letter == 'a') { /* memory access operands, always the last ones */
            return find_access_roles(w, n, at, role);
        }
        bool const is_string = *letter == 'c';
        uint32_t const n_taken = at >= n ? 0 : is_string ? string_words(w + at, n - at) : 1;
        if (n_taken == 0) {
            return 0;
        }
        for (uint32_t i = 0; i < n_taken; i++) {
            role[at++] = (uint8_t)role_of(*letter);
        }
        letter++;
    }
}

int shrink_grammar_is_debug(uint32_t op)
{
    return op == SpvOpSourceContinued || op == SpvOpSourceExtension ||
           (op >= SpvOpName && op <= SpvOpLine) || op == SpvOpNoLine || op == SpvOpModuleProcessed;
}

int shrink_grammar_is_terminator(uint32_t op)
{
    return op >= SpvOpBranch && op <= SpvOpUnreachable;
}

int shrink_grammar_is_atomic(uint32_t op)
{
    return (op >= SpvOpAtomicLoad && op <= SpvOpAtomicXor) || op == SpvOpAtomicFlagTestAndSet ||
           op == SpvOpAtomicFlagClear || op == SpvOpAtomicFMinEXT || op == SpvOpAtomicFMaxEXT ||
           op == SpvOpAtomicFAddEXT;
}

int shrink_grammar_is_group(uint32_t op)
{
    return (op >= SpvOpGroupAsyncCopy && op <= SpvOpGroupSMax) ||
           (op >= SpvOpGroupNonUniformElect && op <= SpvOpGroupNonUniformQuadSwap) ||
           op == SpvOpGroupNonUniformRotateKHR || op == SPV_OP_QUAD_ALL_KHR ||
           op == SPV_OP_QUAD_ANY_KHR || op == SPV_OP_PARTITION_EXT ||
           (op >= SpvOpGroupIAddNonUniformAMD && op <= SpvOpGroupSMaxNonUniformAMD) ||
           (op >= SpvOpGroupIMulKHR && op <= SpvOpGroupLogicalXorKHR);
}

int shrink_grammar_is_type(uint32_t op)
{
    return op >= SpvOpTypeVoid && op <= SpvOpTypeForwardPointer;
}

int shrink_grammar_is_constant(uint32_t op)
{
    return op >= SpvOpConstantTrue && op <= SpvOpSpecConstantOp;
}
