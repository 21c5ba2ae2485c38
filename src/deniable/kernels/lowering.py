"""How numba writes a kernel down for LLVM, where its general way writes ten instructions for one.

Everything after it takes its time for each of them, and kernels are hardly more than items of arrays and calls with
tuples of arrays. What a kernel calculates is the same; this is said through numba's interface for extensions.
- An item of an array that lies row by row is read and written where it is, without a copy of the array's description.
- Who counts the references to an array takes its counter, and does not take apart the rest of it.
"""

from __future__ import annotations

import operator
from typing import Any

from numba import extending
from numba.core import cgutils
from numba.core import types as numbas
from numba.core.datamodel import models
from numba.np import arrayobj

types: Any = numbas  # most of its names are made when it is imported
_PLAIN = (types.Number, types.Boolean)


@extending.register_model(types.Array)
class _Array(models.ArrayModel):  # type: ignore[misc]
    def traverse(self, builder: Any) -> Any:
        """The one part that is counted."""
        return [(self.get_type("meminfo"), lambda value: self.get(builder, value, "meminfo"))]


def _item(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    place = _place(context, builder, signature.args, values)
    if place is None:
        return arrayobj.getitem_arraynd_intp(context, builder, signature, values)
    return arrayobj.load_item(context, builder, signature.args[0], place)


def _item_of_many(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    place = _place(context, builder, signature.args, values)
    if place is None:
        return arrayobj.getitem_array_tuple(context, builder, signature, values)
    return arrayobj.load_item(context, builder, signature.args[0], place)


def _set_item(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    array, _, given = signature.args
    place = _place(context, builder, signature.args, values) if isinstance(given, _PLAIN) else None
    if place is None:
        return arrayobj.setitem_array(context, builder, signature, values)
    value = context.cast(builder, values[2], given, array.dtype)
    return arrayobj.store_item(context, builder, array, value, place)


def _place(context: Any, builder: Any, kinds: Any, values: Any) -> Any:
    """Where one item is, of an array of numbers that lies row by row; None if this is about something else."""
    array, index = kinds[0], kinds[1]
    each = index.types if isinstance(index, types.BaseTuple) else (index,)
    is_simple = array.layout == "C" and array.aligned and isinstance(array.dtype, _PLAIN)
    if not is_simple or array.ndim != len(each) or not all(isinstance(one, types.Integer) for one in each):
        return None
    if context.enable_boundscheck:
        return None
    parts = cgutils.unpack_tuple(builder, values[1], len(each)) if isinstance(index, types.BaseTuple) else [values[1]]
    model = context.data_model_manager[array]
    data, shape = (model.get_field_position(name) for name in ("data", "shape"))
    at: Any = None
    for axis, (kind, part) in enumerate(zip(each, parts, strict=True)):
        length = builder.extract_value(values[0], [shape, axis])
        inside = arrayobj.fix_integer_index(context, builder, kind, part, length)
        at = inside if at is None else builder.add(builder.mul(at, length), inside)
    return builder.gep(builder.extract_value(values[0], data), [at])


for _way, *_kinds in (
    (_item, operator.getitem, types.Array, types.Integer),
    (_item_of_many, operator.getitem, types.Array, types.BaseTuple),
    (_set_item, operator.setitem, types.Array, types.Any, types.Any),
):
    extending.lower_builtin(*_kinds)(_way)
