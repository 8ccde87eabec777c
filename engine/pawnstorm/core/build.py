"""Compile the kernels ahead of time into objects that need no numba at run time.

engine/pawnstorm/core/linker.py makes libraries of them. compile_targets(names, folder) writes core-NAME.o for any number
of targets (engine/pawnstorm/core/targets.py), including those of other machines. numba reads its target from the
environment only once in a process, so a separate process compiles the kernels.

The steps: numba compiles every kernel, for no processor in particular. The LLVM modules of the exported kernels are
linked into one. Then, for each target, all functions that are not exported become internal, and the whole is optimised again,
now across kernels and for the target's processor. Undefined names are checked, and an object is written. So the core of a
target is the same whether it is made alone or with others.
"""

import os
import re
import subprocess
import sys

from pawnstorm.core.exports import EXPORTS
from pawnstorm.core.targets import PROBE, TARGETS
from pawnstorm.system import cache

# An optimiser may turn loops into calls of these. Any other undefined name is a fault.
LIBRARY_CALLS = {"memset", "memcpy", "memmove"}

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
"""The folder in which this package lies."""
PROBE_IR = """
define i32 @cpu_word(i32 %leaf, i32 %subleaf, i32 %register) {
  %r = call {i32, i32, i32, i32} asm sideeffect "cpuid", "={ax},={bx},={cx},={dx},{ax},{cx}"(i32 %leaf, i32 %subleaf)
  %a = extractvalue {i32, i32, i32, i32} %r, 0
  %b = extractvalue {i32, i32, i32, i32} %r, 1
  %c = extractvalue {i32, i32, i32, i32} %r, 2
  %d = extractvalue {i32, i32, i32, i32} %r, 3
  %is_a = icmp eq i32 %register, 0
  %is_b = icmp eq i32 %register, 1
  %is_c = icmp eq i32 %register, 2
  %cd = select i1 %is_c, i32 %c, i32 %d
  %bcd = select i1 %is_b, i32 %b, i32 %cd
  %abcd = select i1 %is_a, i32 %a, i32 %bcd
  ret i32 %abcd
}
define i32 @cpu_xcr0() {
  %r = call {i32, i32} asm sideeffect "xgetbv", "={ax},={dx},{cx}"(i32 0)
  %a = extractvalue {i32, i32} %r, 0
  ret i32 %a
}
"""
# Windows calls this function when a DLL is loaded or unloaded. A linker that finds none takes whichever comes first.
WINDOWS_ENTRY = "DllMainCRTStartup"
WINDOWS_ENTRY_IR = f"define i32 @{WINDOWS_ENTRY}(ptr %module, i32 %reason, ptr %reserved) {{ ret i32 1 }}"


class BuildError(RuntimeError):
    """The native core could not be made; the text says which step failed and what would help."""


def object_file(name, folder):
    """The path of a target's object."""
    return os.path.join(folder, f"core-{name}.o")


def compile_targets(names, folder):
    """Write the objects of targets, in a separate process. Raises BuildError with the output of that process."""
    env = dict(os.environ)
    for name in [name for name in env if name.startswith("NUMBA_")]:
        del env[name]
    env |= {
        # Both are needed, or the features of the building machine leak into the code.
        "NUMBA_CPU_NAME": "generic",
        "NUMBA_CPU_FEATURES": "",
        # The new process finds this package first, and nothing in the folder in which this process was started.
        "PYTHONPATH": os.pathsep.join([ROOT, *sys.path]),
        "PYTHONSAFEPATH": "1",
    }
    done = subprocess.run(
        [sys.executable, "-m", __name__, os.path.abspath(folder), *names],
        cwd=ROOT,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if done.returncode:
        output = done.stdout.strip()
        before, after = ("\n", "\n") if "\n" in output else (" ", "; ")
        raise BuildError(
            f"building the native core for {', '.join(names)} failed:{before}{output}{after}"
            "expected numba in a version that pyproject.toml allows: pip install -e '.[build]'"
        )


def _kernels_module():
    """All exported kernels as one LLVM module, with a plain C function for each; returns (module, names to keep)."""
    import llvmlite.binding as llvm

    from pawnstorm.kernels import core

    exports = {name: getattr(core, name) for name in EXPORTS}
    modules, declared, glue = [], set(), []
    for name, export in exports.items():
        if len(export.overloads) != 1:
            raise BuildError(f"{name} was compiled for {export.signatures}: cast the arguments of its calls")
        ((signature, result),) = export.overloads.items()
        if result.library.has_dynamic_globals:
            raise BuildError(f"{name} holds an address of the building process: a global array above 1 MB?")
        module, entry = llvm.parse_assembly(export.inspect_llvm(signature)), result.fndesc.llvm_func_name
        for function in module.functions:
            if not function.is_declaration:
                function.linkage = "external" if function.name == entry else "linkonce_odr"
        for variable in module.global_variables:
            if not variable.is_declaration and variable.linkage == llvm.Linkage.external:
                variable.linkage = "linkonce_odr"
        modules.append(module)
        declared.add(entry)
        glue.append(_c_function(name, entry, module, result))
    for module in modules:
        # Mutual recursion calls through a pointer that numba's JIT would fill in at load time.
        for variable in module.global_variables:
            if (
                variable.is_declaration
                and variable.name.startswith(".numba.unresolved$")
                and variable.name not in declared
            ):
                target = variable.name.split("$", 1)[1]
                if target not in declared:
                    glue.append(f'declare i32 @"{target}"()')
                glue.append(f'@"{variable.name}" = constant ptr @"{target}"')
                declared |= {variable.name, target}
    whole = modules[0]
    for module in modules[1:]:
        whole.link_in(module)
    front = llvm.parse_assembly("\n".join(glue))
    front.triple, front.data_layout = whole.triple, whole.data_layout
    whole.link_in(front)
    return whole, set(exports)


def _c_function(name, entry, module, result):
    """LLVM text of the function `name`, which calls numba's `entry`.

    `entry` returns its result through a pointer. Its status is dropped, since it is always success.
    """
    signature = str(module.get_function(entry).global_value_type)
    parameters = re.fullmatch(r"i32 \(ptr, ptr(?:, )?(.*)\)", signature).group(1)
    types = [t for t in parameters.split(", ") if t]
    returns = str(result.target_context.get_value_type(result.signature.return_type))
    formal = ", ".join(f"{t} %a{i}" for i, t in enumerate(types))
    actual = "".join(f", {t} %a{i}" for i, t in enumerate(types))
    return (
        f'declare i32 @"{entry}"({", ".join(["ptr", "ptr"] + types)})\n'
        f"define {returns} @{name}({formal}) {{\n  %r = alloca {returns}\n  %e = alloca ptr\n"
        f"  store {returns} zeroinitializer, ptr %r\n"
        f'  %s = call i32 @"{entry}"(ptr %r, ptr %e{actual})\n  %v = load {returns}, ptr %r\n  ret {returns} %v\n}}\n'
    )


def _optimise(module, machine, keep):
    """Make all but `keep` internal and run the O3 pipeline over the whole."""
    import llvmlite.binding as llvm

    for value in [*module.functions, *module.global_variables]:
        if not value.is_declaration and value.name not in keep:
            value.linkage = "internal"
    module.verify()
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=3))
    builder.getModulePassManager().run(module, builder)
    undefined = {
        v.name
        for v in [*module.functions, *module.global_variables]
        if v.is_declaration and not v.name.startswith("llvm.")
    } - LIBRARY_CALLS
    if undefined:
        raise BuildError(f"the kernels call what no library will provide: {', '.join(sorted(undefined))}")


def compile_here(names, folder):
    """Write the object files of targets into folder; each appears there only when it is complete."""
    import llvmlite.binding as llvm

    if unknown := [name for name in names if name not in TARGETS]:
        raise BuildError(f"unknown target '{unknown[0]}': expected one of {', '.join(TARGETS)}")
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    llvm.initialize_native_asmparser()
    kernels = exports = None
    for name in names:
        target = TARGETS[name]
        machine = llvm.Target.from_triple(target.triple).create_target_machine(
            cpu=target.processor, features=target.features, opt=3, reloc="pic", codemodel="default"
        )
        if target.level == PROBE:
            module, keep = llvm.parse_assembly(PROBE_IR), {"cpu_word", "cpu_xcr0"}
        else:
            if kernels is None:
                module, exports = _kernels_module()
                kernels = module.as_bitcode()
            module, keep = llvm.parse_bitcode(kernels), exports
        module.triple, module.data_layout = target.triple, str(machine.target_data)
        if target.platform.startswith("windows"):
            _export_for_windows(module, keep)
        _optimise(module, machine, {*keep, WINDOWS_ENTRY})

        path = object_file(name, folder)
        temporary = f"{path}.{os.getpid()}"
        with open(temporary, "wb") as file:
            file.write(machine.emit_object(module))
        cache.install(temporary, path)


def _export_for_windows(module, keep):
    """Mark the functions that a DLL of the object exports, and add the entry point that a DLL must have."""
    import llvmlite.binding as llvm

    for name in keep:
        module.get_function(name).storage_class = "dllexport"
    entry = llvm.parse_assembly(WINDOWS_ENTRY_IR)
    entry.triple, entry.data_layout = module.triple, module.data_layout
    module.link_in(entry)


def main():
    """Entry point of the separate process. Its command line is `FOLDER TARGET...`."""
    try:
        compile_here(sys.argv[2:], sys.argv[1])
    except (BuildError, ImportError) as error:  # a missing or broken numba is not the fault of this code
        sys.exit(str(error))


if __name__ == "__main__":
    main()
