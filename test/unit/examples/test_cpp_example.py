"""The C++ example: built by CMake and by make, with what a bundle installs."""

import os
import shutil
import struct
import subprocess
import sys
from pathlib import Path

import pytest
from onnx import parser

from autodeploy import CompileOptions, compile_model
from autodeploy.toolchain.compiler import find_cxx_compiler, run, run_make

ROOT = Path(__file__).parents[3]
EXAMPLE = ROOT / "examples" / "cpp"
MNIST = ROOT / "examples" / "mnist"
STRICT = ("-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror")

needs_cmake = pytest.mark.skipif(
    not shutil.which("cmake"), reason="cmake (package cmake) is missing"
)
needs_pkg_config = pytest.mark.skipif(
    not shutil.which("pkg-config"), reason="pkg-config (package pkgconf) is missing"
)


@pytest.fixture(scope="module")
def bundle(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cpp") / "out"
    compile_model(MNIST / "mnist.onnx", folder)
    return folder


@pytest.fixture(scope="module")
def picture(tmp_path_factory):
    file = tmp_path_factory.mktemp("picture") / "6.bin"
    digit = MNIST / "digits" / "6.png"
    run([sys.executable, str(MNIST / "draw_digit.py"), str(digit), "--raw", str(file)], ROOT)
    return file


@pytest.fixture(scope="module")
def installed(bundle, tmp_path_factory):
    """Install by make, then move all of it: nothing in it may name its place."""
    folder = tmp_path_factory.mktemp("installed")
    run_make(bundle, ["install"], {"PREFIX": "/before", "DESTDIR": str(folder)})
    return (folder / "before").rename(folder / "behind it")


def says(program, *files, status=0, **environment):
    words = [program, *files]
    done = subprocess.run(
        words, capture_output=True, text=True, check=False, env={**os.environ, **environment}
    )
    assert done.returncode == status, done.stderr
    return done.stdout + done.stderr


def built_by_cmake(folder, *settings):
    flags = f"-DCMAKE_CXX_FLAGS={' '.join(STRICT)}"
    run(["cmake", "-S", str(EXAMPLE), "-B", "build", flags, *settings], folder)
    run(["cmake", "--build", "build"], folder)
    return folder / "build" / "digit"


@pytest.mark.exhaustive
@needs_cmake
def test_cmake_finds_an_installation_by_make(installed, picture, tmp_path):
    digit = built_by_cmake(tmp_path, f"-DCMAKE_PREFIX_PATH={installed}")
    weights = installed / "share" / "mnist" / "mnist.weights"
    assert says(digit, weights, picture) == "a 6\n"


@pytest.mark.exhaustive
@needs_cmake
@pytest.mark.parametrize("options", [CompileOptions(emit="c", threads=2), CompileOptions()])
def test_cmake_finds_an_installation_by_cmake(picture, tmp_path, options):
    compile_model(MNIST / "mnist.onnx", tmp_path / "out", options)
    run(["cmake", "-S", "out", "-B", "made", "-DCMAKE_INSTALL_PREFIX=/before"], tmp_path)
    run(["cmake", "--build", "made", "--target", "mnist_static", "mnist_shared"], tmp_path)
    run(["cmake", "--build", "made"], tmp_path)
    run(["env", f"DESTDIR={tmp_path}", "cmake", "--install", "made"], tmp_path)
    place = (tmp_path / "before").rename(tmp_path / "behind")
    digit = built_by_cmake(tmp_path, f"-DCMAKE_PREFIX_PATH={place}")
    assert says(digit, place / "share" / "mnist" / "mnist.weights", picture) == "a 6\n"


@pytest.mark.exhaustive
@needs_cmake
@pytest.mark.parametrize("shared", ["OFF", "ON"])
def test_cmake_builds_the_network_along(bundle, picture, tmp_path, shared):
    digit = built_by_cmake(tmp_path, f"-DBUNDLE={bundle}", f"-DBUILD_SHARED_LIBS={shared}")
    assert says(digit, bundle / "mnist.weights", picture) == "a 6\n"
    assert (b"libmnist.so" in digit.read_bytes()) == (shared == "ON")


@needs_pkg_config
def test_make_asks_pkg_config(installed, picture, tmp_path):
    shutil.copytree(EXAMPLE, tmp_path / "cpp")
    # make splits what pkg-config says at blanks
    place = installed.rename(installed.with_name("moved"))
    settings = {"CXX": find_cxx_compiler()[0], "CXXFLAGS": " ".join(STRICT)}
    path = f"PKG_CONFIG_PATH={place}/lib/pkgconfig"
    words = [f"{key}={value}" for key, value in settings.items()]
    run(["env", path, "make", "-C", "cpp", "digit", *words], tmp_path)
    weights = run(["env", path, "pkg-config", "--variable=weights", "mnist"], tmp_path).strip()
    found = says(tmp_path / "cpp" / "digit", weights, picture, LD_LIBRARY_PATH=f"{place}/lib")
    place.rename(installed)
    assert found == "a 6\n"


def test_errors_are_exceptions(installed, picture, tmp_path):
    (tmp_path / "short.bin").write_bytes(struct.pack("3f", 0, 0, 0))
    program = """
#include <mnist.hpp>
#include <cassert>
#include <iostream>
#include <vector>
int main(int, char **words)
{
    try {
        mnist_network none("nowhere");
        return 1;
    } catch (const mnist_error &error) {
        assert(error.status() == MNIST_ERROR_WEIGHTS_NOT_FOUND);
        std::cout << error.what() << '\\n';
    }
    mnist_network first(words[1]);
    mnist_network network = std::move(first);
    static_assert(!std::is_copy_constructible_v<mnist_network>);
    static_assert(!std::is_constructible_v<mnist_span<float>, const std::vector<float> &>);
    static_assert(!std::is_constructible_v<mnist_span<const float>, std::vector<double> &>);
    std::vector<float> image(10);
    float logits[10];
    try {
        network.predict(image, logits);
        return 1;
    } catch (const std::length_error &error) {
        std::cout << error.what() << '\\n';
    }
    image.resize(mnist_network::in_image_elements);
    network.predict(image, logits);
    mnist_span<const float> span(image);
    assert(span.end() - span.begin() == 784 && &span[1] == &image[1]);
    try {
        network.predict({image.data(), image.size()}, {nullptr, 10});
        return 1;
    } catch (const mnist_error &error) {
        assert(error.status() == MNIST_ERROR_ARGUMENT);
        std::cout << error.what() << '\\n';
    }
    try {
        first.predict(image, logits);
        return 1;
    } catch (const mnist_error &error) {
        std::cout << error.what() << '\\n';
    }
    return network.context() == nullptr;
}
"""
    (tmp_path / "errors.cpp").write_text(program)
    library = str(installed / "lib" / "libmnist.a")
    words = ["errors.cpp", library, "-lm", "-o", "errors"]
    include = ["-I", str(installed / "include")]
    run([*find_cxx_compiler(), "-std=c++17", *STRICT, *include, *words], tmp_path)
    lines = says(tmp_path / "errors", installed / "share/mnist/mnist.weights").splitlines()
    assert "nowhere" in lines[0]
    assert lines[1:] == [
        "input 'image' has 10 elements, expected 784",
        "the pointer to tensor 'logits' is null",
        "a pointer is missing, or an option is out of its range",
    ]


def test_a_network_with_its_weights_linked_in(tmp_path):
    compile_model(MNIST / "mnist.onnx", tmp_path / "out", CompileOptions(embed_weights=True))
    run_make(tmp_path / "out", ["install"], {"PREFIX": str(tmp_path / "in")})
    assert not (tmp_path / "in" / "share").exists()
    program = "#include <mnist.hpp>\nint main() { mnist_network network; return 0; }\n"
    (tmp_path / "main.cpp").write_text(program)
    words = ["main.cpp", "in/lib/libmnist.a", "-lm", "-o", "main"]
    run([*find_cxx_compiler(), "-std=c++17", *STRICT, "-Iin/include", *words], tmp_path)
    says(tmp_path / "main")


def test_extents_that_a_run_finds(tmp_path):
    text = """<ir_version: 8, opset_import: ["" : 17]>
    places (float[2, 3] x) => (int64[2, N] y, float[2, 3] z) { y = NonZero(x) z = Neg(x) }"""
    model = parser.parse_model(text)
    compile_model(model.SerializeToString(), tmp_path / "out", CompileOptions(embed_weights=True))
    run_make(tmp_path / "out", ["lib"])
    program = """
#include <places.hpp>
#include <iostream>
int main()
{
    places_network network;
    std::int64_t y[places_network::out_y_elements];
    float z[places_network::out_z_elements];
    for (const float second : {0.0f, 5.0f}) {
        const float x[] = {0, second, 0, 7, 0, 8};
        network.predict(x, y, z);
        const places_span<const std::int64_t> shape = network.output_shape(0);
        std::cout << shape.size() << ':' << shape[0] << 'x' << shape[1];
        for (std::int64_t i = 0; i < shape[0] * shape[1]; ++i) {
            std::cout << ' ' << y[i];
        }
        std::cout << ", " << network.output_shape(1)[1] << '\\n';
    }
    for (const int index : {-1, 2}) {
        try {
            network.output_shape(index);
            return 1;
        } catch (const std::out_of_range &error) {
            std::cout << error.what() << '\\n';
        }
    }
    return 0;
}
"""
    (tmp_path / "main.cpp").write_text(program)
    words = ["main.cpp", "out/libplaces.a", "-lm", "-o", "main"]
    run([*find_cxx_compiler(), "-std=c++17", *STRICT, "-Iout", *words], tmp_path)
    assert says(tmp_path / "main").splitlines() == [
        "2:2x2 1 1 0 2, 3",
        "2:2x3 0 1 1 1 0 2, 3",
        "there is no output -1",
        "there is no output 2",
    ]
