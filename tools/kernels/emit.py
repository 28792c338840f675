"""From Numba's LLVM text to object code for any machine.

Import this before anything of the package. From then on, kernels are compiled without a disk cache (cached code has no
LLVM text), and the text of every function is kept as Numba wrote it, before any optimisation for this machine. This
relies on Numba's internals: constraints.txt pins its version, and the tests compare what all libraries compute.
"""

import os
import re
from collections.abc import Iterable

os.environ |= {"QUATUOR_KERNELS": "jit", "QUATUOR_CACHE": os.devnull, "NUMBA_OPT": "0"}

import llvmlite.binding as llvm
from llvmlite import ir
from numba.core import callconv, cgutils, codegen, types
from numba.np.arrayobj import populate_array

from tools.kernels.targets import Target

OFFSET = re.compile(r"\bgetelementptr (?:inbounds )?(?:nuw )?i8, ptr (\S+), i32 (\d{1,4})(?=[,\n])")
INDEX = re.compile(  # a negative index counts from the end
    r"""^  (%"\.\d+") = icmp slt i64 (\S+), 0
  (%"\.\d+") = add i64 \2, \S+
  (%"\.\d+") = select  i1 \1, i64 \3, i64 \2
""",
    re.MULTILINE,
)
TABLE = re.compile(
    r"^(@\.const\.array\.data[.\w]*) = internal unnamed_addr constant \[(\d+) x i8\] "
    r'(c"[^"]*"|zeroinitializer)(?:, align \d+)?\n',
    re.MULTILINE,
)
TABLE_USE = re.compile(
    r"^  %(\S+) = getelementptr (?:inbounds )?(?:nuw )?(\S+), ptr (@\.const\.array\.data[.\w]*), i32 (%[^\s,]+)",
    re.MULTILINE,
)
ALIGNED = 16  # bytes

llvm.initialize_all_targets()
llvm.initialize_all_asmprinters()

WRAPPERS = ("wrapper", "cfunc_wrapper")  # modules with the entry points for CPython and for C
WORD, STATUS = ir.IntType(64), ir.IntType(32)
RUNTIME = {  # of runtime.c, and of every C library
    "NRT_Allocate", "NRT_Free", "NRT_MemInfo_alloc", "NRT_MemInfo_alloc_aligned", "NRT_MemInfo_call_dtor",
    "PyErr_SetString", "PyExc_MemoryError", "PyExc_RuntimeError", "memset", "memcpy", "memmove",
}  # fmt: skip
SQUARE_ROOT = """
declare double @llvm.sqrt.f64(double)
define double @sqrt(double %x) alwaysinline {
  %root = call double @llvm.sqrt.f64(double %x)
  ret double %root
}
"""
_texts: list[str] = []
_add = codegen.CPUCodeLibrary.add_ir_module


def _keep(self, module) -> None:
    if module.name not in WRAPPERS:
        _texts.append(cgutils.normalize_ir_text(str(module)))
    _add(self, module)


codegen.CPUCodeLibrary.add_ir_module = _keep
_error = callconv.CPUCallConv.build_excinfo_struct


def _error_without_place(self, error, arguments, place, function):
    """A library returns only the code of an error; with its place it would hold paths of the machine that built it."""
    return _error(self, error, arguments, None, function)


callconv.CPUCallConv.build_excinfo_struct = _error_without_place


def entry(name: str, kernel, signature) -> str:
    """Compile a kernel for a signature; the text of a module with its entry point, ``int32 name(int64 *slots)``."""
    from quatuor.kernel.compiler import numba_type

    arguments = tuple(map(numba_type, signature.arguments))
    kernel.compile(arguments)
    compiled = kernel.overloads[arguments]
    context, described = compiled.target_context, compiled.fndesc
    result = numba_type(signature.result)
    module = context.create_module(name)
    form = context.call_conv.get_function_type(described.restype, described.argtypes)
    callee = ir.Function(module, form, described.llvm_func_name)
    function = ir.Function(module, ir.FunctionType(STATUS, [WORD.as_pointer()]), name)
    builder = ir.IRBuilder(function.append_basic_block())
    read = _Slots(context, builder, function.args[0])
    values = [read.value(kind) for kind in described.argtypes]
    status, found = context.call_conv.call_function(builder, callee, described.restype, described.argtypes, values)
    if result is not types.none:
        found = context.cast(builder, found, described.restype, result)
        if result is types.boolean:
            found = builder.zext(found, WORD)
        builder.store(found, builder.bitcast(function.args[0], found.type.as_pointer()))
    builder.ret(status.code)
    return cgutils.normalize_ir_text(str(module))


class _Slots:
    """Writes the instructions that read arguments from slots, one after the other."""

    def __init__(self, context, builder, slots) -> None:
        self._context, self._builder, self._slots, self._next = context, builder, slots, 0

    def value(self, kind):
        if isinstance(kind, types.Array):
            return self._array(kind)
        if isinstance(kind, types.BaseTuple):
            return self._context.make_tuple(self._builder, kind, [self.value(member) for member in kind.types])
        if kind is types.boolean:
            return self._builder.trunc(self._word(), self._context.get_value_type(kind))
        return self._word(self._context.get_value_type(kind))

    def _word(self, kind=WORD):
        place = self._builder.gep(self._slots, [ir.Constant(WORD, self._next)])
        self._next += 1
        return self._builder.load(self._builder.bitcast(place, kind.as_pointer()))

    def _array(self, kind):
        context, builder = self._context, self._builder
        item = context.get_data_type(kind.dtype)
        size = ir.Constant(WORD, kind.dtype.bitwidth // 8 if kind.dtype is not types.boolean else 1)
        data = builder.inttoptr(self._word(), item.as_pointer())
        shape = [self._word() for _ in range(kind.ndim)]
        strides, step = [], size
        for length in shape if kind.layout == "F" else reversed(shape):
            strides.append(step)
            step = builder.mul(step, length)
        array = context.make_array(kind)(context, builder)
        strides = strides if kind.layout == "F" else strides[::-1]
        populate_array(array, data, shape, strides, size, meminfo=None)
        return array._getvalue()


def object_code(entries: dict[str, str], name: str, target: Target) -> bytes:
    """Everything compiled so far that the entry points need, for one machine.

    WebAssembly comes last in a process: it sets an option of LLVM, which stays set.
    """
    if target.triple.startswith("wasm"):
        # Use vectors also where LLVM estimates that they cost as much as single words: random games of 3/6 take 0.8 of
        # the time.
        llvm.set_option("", "-slp-threshold=-1")
    machine = llvm.Target.from_triple(target.triple).create_target_machine(
        cpu=target.cpu, features=target.features, opt=3, reloc="pic", codemodel="default"
    )
    whole = _linked([SQUARE_ROOT, *_texts, *entries.values()], target.triple, str(machine.target_data))
    for function in whole.functions:
        if not function.is_declaration and function.name not in entries:
            function.linkage = "internal"
    for variable in whole.global_variables:
        if not variable.is_declaration:
            variable.linkage = "internal"
    whole.verify()
    options = llvm.create_pipeline_tuning_options(3)
    options.loop_vectorization = options.slp_vectorization = True
    passes = llvm.create_pass_builder(machine, options)
    passes.getModulePassManager().run(whole, passes)
    # Numba counts the references to each array, argument or not. Inlined, most pairs of counts are next to each other:
    # without them searches take 0.4 (Blokus, 3/6) to 0.8 of the time.
    pairs = llvm.create_new_module_pass_manager()
    pairs.add_refprune_pass()
    pairs.run(whole, passes)
    passes = llvm.create_pass_builder(machine, options)
    passes.getModulePassManager().run(whole, passes)
    last = llvm.create_new_module_pass_manager()
    last.add_global_dead_code_eliminate_pass()
    last.add_strip_dead_prototype_pass()
    last.run(whole, passes)
    parts = [*whole.functions, *whole.global_variables]
    needed = {part.name for part in parts if part.is_declaration and not part.name.startswith("llvm.")}
    if needed - RUNTIME:
        raise RuntimeError(f"{name}: the kernels call functions that the library does not have: {needed - RUNTIME}")
    return machine.emit_object(_with_tables(_with_offsets(whole)) if target.triple.startswith("wasm") else whole)


def _with_offsets(whole):
    """Let loads and stores of WebAssembly add the constant part of an address.

    They may do so only where the sum cannot wrap around, which LLVM no longer knows once it has split an address into a
    variable and a constant part. Here it never does: no array lies in the first ten thousand bytes. Otherwise loops
    compute many addresses in advance and keep them on the stack: searches of Blokus and Plateau X take 6% longer.
    """
    marked = llvm.parse_assembly(OFFSET.sub(r"getelementptr inbounds nuw i8, ptr \1, i32 \2", str(whole)))
    marked.verify()
    return marked


def _with_tables(whole):
    """Put all tables into one, whose address each function of WebAssembly computes once.

    A library for Pyodide may lie anywhere in memory. Chromium takes several instructions to find out where, which LLVM
    would repeat for each access to a table, in loops too: searches of 3/6 take 6% longer. The ``asm`` has no
    instructions, but LLVM does not see that the address after it is the same as before.
    """
    text, parts, places, size = str(whole), [], {}, 0
    for name, length, data in TABLE.findall(text):
        places[name] = size
        parts.append((int(length), data))
        if rest := -int(length) % ALIGNED:
            parts.append((rest, "zeroinitializer"))
        size += int(length) + rest
    if not parts:
        return whole

    def offset(use: re.Match) -> str:
        result, item, table, index = use.groups()
        return (
            f"  %of.{result} = getelementptr nuw {item}, ptr %tables, i32 {index}\n"
            f"  %{result} = getelementptr inbounds nuw i8, ptr %of.{result}, i32 {places[table]}"
        )

    address, functions = '  %tables = call ptr asm "", "=r,0"(ptr @tables)\n', []
    for function in re.split(r"^(?=define )", TABLE.sub("", text), flags=re.MULTILINE):
        changed, uses = TABLE_USE.subn(offset, function)
        if uses:
            changed = re.sub(r"\{\n(?:\S+:.*\n)?", r"\g<0>" + address, changed, count=1)
        functions.append(changed)
    text = re.sub(
        r"@\.const\.array\.data[.\w]*",  # what is left: addresses that are constant
        lambda name: f"getelementptr inbounds (i8, ptr @tables, i32 {places[name.group()]})",
        "".join(functions),
    )
    kinds = ", ".join(f"[{length} x i8]" for length, _ in parts)
    held = ", ".join(f"[{length} x i8] {data}" for length, data in parts)
    text += f"\n@tables = internal constant <{{ {kinds} }}> <{{ {held} }}>, align {ALIGNED}\n"
    joined = llvm.parse_assembly(text)
    joined.verify()
    return joined


def _without_negative(index: re.Match) -> str:
    if index.group(2).startswith("-"):
        raise RuntimeError(f"a kernel has the index {index.group(2)}: none may be negative")
    return f"  {index.group(4)} = add i64 {index.group(2)}, 0\n"


def _linked(texts: Iterable[str], triple: str, layout: str):
    whole = llvm.parse_assembly(f'target triple = "{triple}"\ntarget datalayout = "{layout}"\n')
    for text in texts:
        text = re.sub(r"^target triple = .*$", f'target triple = "{triple}"', text, flags=re.MULTILINE)
        text = re.sub(r"^target datalayout = .*$", f'target datalayout = "{layout}"', text, flags=re.MULTILINE)
        if not triple.startswith("x86_64"):  # the instruction for loops that wait: others do without
            text = re.sub(r'^.*call void @"?llvm\.x86\.sse2\.pause"?\(\).*$', "", text, flags=re.MULTILINE)
        # No index is negative (docs/kernel.md): searches of 3/6 take 0.93 of the time without the test for it.
        text = INDEX.sub(_without_negative, text)
        if triple.startswith("wasm"):
            # No address in an array wraps around. Known to LLVM, constant offsets become part of a load or store.
            text = re.sub(r"\bgetelementptr (inbounds )?(?!nuw)", r"getelementptr \1nuw ", text)
        whole.link_in(llvm.parse_assembly(text))
    return whole
