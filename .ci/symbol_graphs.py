"""Symbol graphs of the public API of every product. Shared by check-api and check-docs.

They come from a build with all traits, as the tests are built. Extracting all of them takes about a second.
"""
import json, pathlib, platform, re, shutil, subprocess, sys

root = pathlib.Path(__file__).resolve().parent.parent
build = root / ".build"

# Every product that is a library, in the order of their dependencies.
modules = [
    "BackstopCore", "Backstop", "BackstopStreams", "BackstopTransfers", "BackstopResilience", "BackstopAuthentication", "BackstopGraphQL",
    "BackstopSubscriptions", "BackstopGraphQLSocket", "BackstopCombine",
    "BackstopPresentation", "BackstopAsyncHTTPClient", "BackstopObservability", "BackstopHummingbird", "BackstopGRPC",
    "BackstopTesting",
]


def run(command):
    """Runs a command from the root of the package; where it fails, prints what it said and ends the program."""
    result = subprocess.run(command, cwd=root, capture_output=True, text=True)
    if result.returncode != 0:
        print("$ " + " ".join(map(str, command)), result.stdout, result.stderr, sep="\n", end="")
        sys.exit(1)
    return result


def extract(compiled=None):
    """Writes the symbol graphs of the modules; returns the folder of each module's.

    Takes the modules from the folder `compiled` as they are there; without one, builds them first.
    """
    if compiled is None:
        # These depend on the others.
        for target in [
            "BackstopTransfers", "BackstopResilience", "BackstopAuthentication", "BackstopCombine", "BackstopPresentation",
            "BackstopAsyncHTTPClient", "BackstopObservability", "BackstopHummingbird", "BackstopGRPC", "BackstopTesting",
        ]:
            run(["swift", "build", "--enable-all-traits", "--target", target])
        compiled = build / "debug/Modules"
    compiled = pathlib.Path(compiled).resolve()
    missing = [module for module in modules if not (compiled / f"{module}.swiftmodule").exists()]
    if missing:
        sys.exit(f"{compiled} has no module {', '.join(missing)}: first run swift build --enable-all-traits")
    triple = json.loads(run(["swiftc", "-print-target-info"]).stdout)["target"]
    sdk = ["-sdk", run(["xcrun", "--show-sdk-path"]).stdout.strip()] if platform.system() == "Darwin" else []
    # The C modules behind the Swift modules of other packages, where they are used.
    helpers = [word for path in module_maps(build, compiled) for word in ("-Xcc", f"-fmodule-map-file={path}")]
    folders = {module: build / "symbol-graphs" / module for module in modules}
    for module, folder in folders.items():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        run([
            "swift", "symbolgraph-extract", "-module-name", module, "-I", compiled, "-target", triple["triple"], *sdk, *helpers,
            "-minimum-access-level", "public", "-skip-synthesized-members", "-skip-inherited-docs",
            "-emit-extension-block-symbols", "-output-dir", folder,
        ])
    # Without its trait, a module is there and has nothing.
    empty = [module for module, folder in folders.items() if not any(graph["symbols"] for graph in graphs(folder))]
    if empty:
        sys.exit(f"{', '.join(empty)}: empty in this build. First run swift build --build-tests --enable-all-traits")
    return folders


def module_maps(build, compiled):
    """The maps of the C modules that packages bring, one of each module: those of a build, or those of their sources.

    A module that a plugin's tool needs, too, is built twice.
    """
    maps = sorted((build / "checkouts").glob("**/include/module.modulemap")) + sorted(compiled.parent.glob("*.build/module.modulemap"))
    return list({re.search(r"module (\w+)", path.read_text()).group(1): path for path in maps}.values())


def graphs(folder):
    """Reads the graphs of a module: its own, and one for each module that it extends."""
    return [json.loads(path.read_text()) for path in sorted(folder.glob("*.symbols.json"))]
