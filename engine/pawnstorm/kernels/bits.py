"""Machine instructions on bitboards: LLVM intrinsics if kernels are compiled, their Python twins if not."""

import ctypes

import numpy as np
from llvmlite import ir
from numba import config, types
from numba.extending import intrinsic

if config.DISABLE_JIT:

    def popcount(x):
        """Number of set bits."""
        return np.uint64(int(x).bit_count())

    def lsb(x):
        """Index of the lowest set bit, from 0; x is not 0."""
        return np.uint64((int(x) & -int(x)).bit_length() - 1)

    def swap_ranks(x):
        """The eight bytes in reverse order: rank 1 becomes rank 8."""
        return np.uint64(int.from_bytes(int(x).to_bytes(8, "little"), "big"))

    def msb(x):
        """Index of the highest set bit, from 0; x is not 0."""
        return np.uint64(int(x).bit_length() - 1)

    def swap_files(x):
        """The bits of each byte in reverse order: file a becomes file h."""
        return np.uint64(int(f"{int(swap_ranks(x)):064b}"[::-1], 2))

    def stopped(state):
        """state.stop."""
        return state.stop

    def prefetch(table, index):
        """Do nothing: only machine code can give the cache a hint."""

    prefetch_nta = prefetch

    def load_i16(address, index):
        """The int16 at address + 2 * index."""
        return ctypes.c_int16.from_address(int(address) + 2 * int(index)).value
else:
    _word = types.uint64(types.uint64)

    @intrinsic
    def popcount(typing, x):
        """Number of set bits."""
        return _word, lambda context, builder, sig, args: builder.ctpop(args[0])

    @intrinsic
    def lsb(typing, x):
        """Index of the lowest set bit, from 0; x is not 0."""
        return _word, lambda context, builder, sig, args: builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    @intrinsic
    def swap_ranks(typing, x):
        """The eight bytes in reverse order: rank 1 becomes rank 8."""
        return _word, lambda context, builder, sig, args: builder.bswap(args[0])

    @intrinsic
    def msb(typing, x):
        """Index of the highest set bit, from 0; x is not 0."""

        def build(context, builder, sig, args):
            return builder.sub(ir.Constant(ir.IntType(64), 63), builder.ctlz(args[0], ir.Constant(ir.IntType(1), 1)))

        return _word, build

    @intrinsic
    def swap_files(typing, x):
        """The bits of each byte in reverse order: file a becomes file h."""
        return _word, lambda context, builder, sig, args: builder.bswap(builder.bitreverse(args[0]))

    @intrinsic
    def stopped(typing, state):
        """state.stop by a monotonic atomic load, which no optimiser may hoist out of a loop."""

        def load(context, builder, sig, args):
            offset = ir.Constant(ir.IntType(64), state.offset("stop"))
            return builder.load_atomic(
                builder.gep(args[0], [offset], source_etype=ir.IntType(8)), "monotonic", 4, typ=ir.IntType(32)
            )

        return types.int32(state), load

    def _hint(locality):
        """A function that generates the code to prefetch table[index] for reading. locality: from 0 (no reuse) to 3 (keep)."""

        def hint(context, builder, sig, args):
            i32 = ir.IntType(32)
            pointer = builder.gep(args[0], [args[1]], source_etype=ir.IntType(64))
            function = builder.module.declare_intrinsic(
                "llvm.prefetch", [pointer.type], ir.FunctionType(ir.VoidType(), [pointer.type, i32, i32, i32])
            )
            builder.call(function, [pointer, i32(0), i32(locality), i32(1)])
            return context.get_dummy_value()

        return hint

    @intrinsic
    def prefetch(typing, table, index):
        """Load table[index] into the cache, to stay there."""
        return types.none(table, index), _hint(3)

    @intrinsic
    def prefetch_nta(typing, table, index):
        """Load table[index] into the cache for a single use, so that it displaces less of the cache."""
        return types.none(table, index), _hint(0)

    @intrinsic
    def load_i16(typing, address, index):
        """The int16 at address + 2 * index."""

        def load(context, builder, sig, args):
            i16 = ir.IntType(16)
            pointer = builder.gep(builder.inttoptr(args[0], i16.as_pointer()), [args[1]], source_etype=i16)
            return builder.sext(builder.load(pointer, typ=i16), ir.IntType(32))

        return types.int32(types.uint64, types.uint64), load
