"""Arithmetic on whole rows of int16. network.py computes its hidden layers with it, and decides which inputs a network has.

The operations are written as LLVM vectors, so that each processor level gets its widest instructions, and as NumPy arrays
for kernels in plain Python. A row is HIDDEN_WIDTH int16. Row n of the network begins at HIDDEN_WIDTH * n. The
accumulators of a thread, a row for each hidden layer, are in its record, state.accumulators.
"""

import ctypes

import numpy as np
from llvmlite import ir
from numba import config, types
from numba.extending import intrinsic

from pawnstorm.core.state import HIDDEN_WIDTH, MAX_ACTIVATION, MAX_CHANGED_INPUTS

if config.DISABLE_JIT:

    def _row(address, number):
        """A row of the network."""
        return np.frombuffer(
            (ctypes.c_int16 * HIDDEN_WIDTH).from_address(int(address) + 2 * HIDDEN_WIDTH * int(number)), np.int16
        )

    def init_accumulator(state, to, row):
        """Set accumulator `to` to a row of the network."""
        state.accumulators[HIDDEN_WIDTH * int(to) : HIDDEN_WIDTH * (int(to) + 1)] = _row(state.network, row)

    def add_rows(state, to, squares, first_row):
        """Add row first_row + s of the network to accumulator `to` for each square s of a set."""
        part = slice(HIDDEN_WIDTH * int(to), HIDDEN_WIDTH * (int(to) + 1))
        total = state.accumulators[part]
        for square in range(64):
            if int(squares) >> square & 1:
                total = total + _row(state.network, first_row + square)
        state.accumulators[part] = total

    def change_rows(state, to, source, first, added, removed):
        """Set accumulator `to` to accumulator `source`, plus some rows of the network, minus others.

        state.changed_rows holds the numbers of these rows: `added` rows to add, from index `first` on, and `removed` rows to
        subtract, from index first + MAX_CHANGED_INPUTS on. `removed` is at least `added`.
        """
        begin, first = HIDDEN_WIDTH * int(source), int(first)
        total = state.accumulators[begin : begin + HIDDEN_WIDTH].copy()
        for number in state.changed_rows[first : first + int(added)]:
            total = total + _row(state.network, number)
        first += MAX_CHANGED_INPUTS
        for number in state.changed_rows[first : first + int(removed)]:
            total = total - _row(state.network, number)
        state.accumulators[HIDDEN_WIDTH * int(to) : HIDDEN_WIDTH * (int(to) + 1)] = total

    def screlu_dot(state, number, row):
        """Sum of v * v * w over the accumulator's values v, clamped to [0, MAX_ACTIVATION], and a row's weights w."""
        values = state.accumulators[HIDDEN_WIDTH * int(number) : HIDDEN_WIDTH * (int(number) + 1)].astype(np.int64)
        values = np.clip(values, 0, MAX_ACTIVATION)
        return np.int32((values * values * _row(state.network, row)).sum())
else:
    _i16, _i32, _i64 = ir.IntType(16), ir.IntType(32), ir.IntType(64)
    _ROW, _WIDE = ir.VectorType(_i16, HIDDEN_WIDTH), ir.VectorType(_i32, HIDDEN_WIDTH)
    _HALF = ir.VectorType(_i32, HIDDEN_WIDTH // 2)

    class _Rows:
        """Emits code, through an LLVM builder, that finds rows and computes with them."""

        def __init__(self, context, builder, state, kind):
            self.builder, self.state, self.kind = builder, state, kind
            offset = builder.gep(state, [_i64(kind.offset("network"))], source_etype=ir.IntType(8))
            self.network = builder.load(offset, typ=_i64)

        def accumulator(self, number):
            """Pointer to an accumulator."""
            first = self.builder.add(
                self.builder.mul(number, _i64(2 * HIDDEN_WIDTH)), _i64(self.kind.offset("accumulators"))
            )
            pointer = self.builder.gep(self.state, [first], source_etype=ir.IntType(8))
            return self.builder.bitcast(pointer, _ROW.as_pointer())

        def weights(self, number):
            """A row of the network."""
            first = self.builder.add(self.builder.mul(number, _i64(2 * HIDDEN_WIDTH)), self.network)
            return self.load(self.builder.inttoptr(first, _ROW.as_pointer()))

        def listed(self, first, number):
            """The row of the network whose number is at state.changed_rows[first + number]."""
            place = self.builder.add(
                self.builder.mul(self.builder.add(first, number), _i64(8)), _i64(self.kind.offset("changed_rows"))
            )
            return self.weights(
                self.builder.load(self.builder.gep(self.state, [place], source_etype=ir.IntType(8)), typ=_i64)
            )

        def fold(self, operation, start, count):
            """A row, in registers: row = start, then row = operation(row, n) for n = 0, 1, ..., count - 1."""
            builder = self.builder
            before, loop, after = builder.block, builder.append_basic_block(), builder.append_basic_block()
            builder.cbranch(builder.icmp_unsigned("==", count, _i64(0)), after, loop)
            builder.position_at_end(loop)
            total, done = builder.phi(_ROW), builder.phi(_i64)
            new_total, new_done = operation(total, done), builder.add(done, _i64(1))
            builder.cbranch(builder.icmp_unsigned("<", new_done, count), loop, after)
            builder.position_at_end(after)
            result = builder.phi(_ROW)
            for phi, begun, step in ((total, start, new_total), (done, _i64(0), new_done), (result, start, new_total)):
                phi.add_incoming(begun, before)
                phi.add_incoming(step, loop)
            return result

        def load(self, pointer):
            return self.builder.load(pointer, align=2, typ=_ROW)

        def store(self, value, pointer):
            self.builder.store(value, pointer, align=2)

    def _call(builder, name, result, *arguments):
        function = builder.module.declare_intrinsic(
            name, (), ir.FunctionType(result, [argument.type for argument in arguments])
        )
        return builder.call(function, arguments)

    @intrinsic
    def init_accumulator(typing, state, to, row):
        """Set accumulator `to` to a row of the network."""

        def build(context, builder, sig, args):
            rows = _Rows(context, builder, args[0], state)
            rows.store(rows.weights(args[2]), rows.accumulator(args[1]))
            return context.get_dummy_value()

        return types.none(state, types.int64, types.int64), build

    @intrinsic
    def add_rows(typing, state, to, squares, first_row):
        """Add row first_row + s of the network to accumulator `to` for each square s of a set."""

        def build(context, builder, sig, args):
            rows = _Rows(context, builder, args[0], state)
            accumulator = rows.accumulator(args[1])
            before, loop, after = builder.block, builder.append_basic_block(), builder.append_basic_block()
            value = rows.load(accumulator)
            builder.cbranch(builder.icmp_unsigned("==", args[2], _i64(0)), after, loop)
            builder.position_at_end(loop)
            # The sum stays in registers until the last row.
            total, left = builder.phi(_ROW), builder.phi(_i64)
            square = builder.cttz(left, ir.Constant(ir.IntType(1), 1))
            new_total = builder.add(total, rows.weights(builder.add(square, args[3])))
            new_left = builder.and_(left, builder.sub(left, _i64(1)))
            builder.cbranch(builder.icmp_unsigned("==", new_left, _i64(0)), after, loop)
            builder.position_at_end(after)
            result = builder.phi(_ROW)
            for phi, start, step in ((total, value, new_total), (left, args[2], new_left), (result, value, new_total)):
                phi.add_incoming(start, before)
                phi.add_incoming(step, loop)
            rows.store(result, accumulator)
            return context.get_dummy_value()

        return types.none(state, types.int64, types.uint64, types.int64), build

    @intrinsic
    def change_rows(typing, state, to, source, first, added, removed):
        """Set accumulator `to` to accumulator `source`, plus some rows of the network, minus others.

        state.changed_rows holds the numbers of these rows: `added` rows to add, from index `first` on, and `removed` rows to
        subtract, from index first + MAX_CHANGED_INPUTS on. `removed` is at least `added`.
        """

        def build(context, builder, sig, args):
            rows = _Rows(context, builder, args[0], state)
            to, source, first, added, removed = args[1:]
            first_removed = builder.add(first, _i64(MAX_CHANGED_INPUTS))

            def replace(total, number):
                return builder.sub(builder.add(total, rows.listed(first, number)), rows.listed(first_removed, number))

            def remove(total, number):
                return builder.sub(total, rows.listed(builder.add(first_removed, added), number))

            total = rows.fold(replace, rows.load(rows.accumulator(source)), added)
            total = rows.fold(remove, total, builder.sub(removed, added))
            rows.store(total, rows.accumulator(to))
            return context.get_dummy_value()

        return types.none(state, *[types.int64] * 5), build

    @intrinsic
    def screlu_dot(typing, state, number, row):
        """Sum of v * v * w over the accumulator's values v, clamped to [0, MAX_ACTIVATION], and a row's weights w."""

        def build(context, builder, sig, args):
            rows = _Rows(context, builder, args[0], state)
            value = rows.load(rows.accumulator(args[1]))
            kind = f"v{HIDDEN_WIDTH}i16"
            value = _call(builder, f"llvm.smax.{kind}", _ROW, value, ir.Constant(_ROW, [0] * HIDDEN_WIDTH))
            value = _call(builder, f"llvm.smin.{kind}", _ROW, value, ir.Constant(_ROW, [MAX_ACTIVATION] * HIDDEN_WIDTH))
            # The weights are small enough for v * w to be an int16. Then products are added in pairs, which is one
            # instruction (pmaddwd).
            product = builder.mul(
                builder.sext(builder.mul(value, rows.weights(args[2])), _WIDE), builder.sext(value, _WIDE)
            )
            even, odd = (
                builder.shuffle_vector(
                    product, ir.Constant(_WIDE, ir.Undefined), ir.Constant(_HALF, list(range(first, HIDDEN_WIDTH, 2)))
                )
                for first in (0, 1)
            )
            return _call(builder, f"llvm.vector.reduce.add.v{HIDDEN_WIDTH // 2}i32", _i32, builder.add(even, odd))

        return types.int32(state, types.int64, types.int64), build
