"""Names that no model may have in a bundle, since something else has them there.

A model's name begins the names of its files and of everything that its C sources define. The names
of the runtime are read from its sources; those of C, C++, POSIX and the file systems are listed
here, and a test compares them with the headers and libraries of the machine that it runs on.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


BUNDLE = _words(
    """
    all build clean cmakefiles cmakelists gnumakefile kernels lib main makefile manifest op_gen
    sanitize
    """
)
"""Files, folders and make targets of a bundle that are not the model's, and what make looks for."""

GENERATED = _words("arena buffer in input out output scratch shape view weight")
"""What the names begin with that the emitters of C make of tensors."""

C_HEADERS = _words(
    """
    assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal stdalign
    stdarg stdatomic stdbit stdbool stdckdint stddef stdint stdio stdlib stdmchar stdnoreturn string
    tgmath threads time uchar wchar wctype
    """
)
"""Headers of C, up to C23."""

CXX_HEADERS = _words(
    """
    algorithm any array atomic barrier bit bitset cassert ccomplex cctype cerrno cfenv cfloat
    charconv chrono cinttypes ciso646 climits clocale cmath codecvt compare complex concepts
    condition_variable contracts coroutine csetjmp csignal cstdalign cstdarg cstdbool cstddef
    cstdint cstdio cstdlib cstring ctgmath ctime cuchar cwchar cwctype cxxabi debugging deque
    exception execution expected filesystem flat_map flat_set format forward_list fstream functional
    future generator hazard_pointer hive initializer_list inplace_vector iomanip ios iosfwd iostream
    istream iterator latch limits linalg list locale map mdspan memory memory_resource meta mutex
    new numbers numeric optional ostream print queue random ranges ratio rcu regex scoped_allocator
    semaphore set shared_mutex simd source_location span spanstream sstream stack stacktrace
    stdexcept stdfloat stop_token streambuf string string_view strstream syncstream system_error
    text_encoding thread tuple type_traits typeindex typeinfo unordered_map unordered_set utility
    valarray variant vector version
    """
)
"""Headers of C++, up to C++26: a program of such a name is found in the place of the header."""

SYSTEM_HEADERS = _words(
    """
    aio alloca ar argp argz arm_acle arm_neon arm_sve auto_ptr availability availabilitymacros
    backward_warning binders byteswap cet corecrt cpio cpuid crtdbg crtdefs crypt direct dirent
    dlfcn elf emmintrin endian envz err error execinfo fcntl features fmtmsg fnmatch fpu_control
    fstab fts ftw getopt glob grp gshadow hash_fun hash_map hash_set hashtable iconv ieee754 ifaddrs
    immintrin intrin io langinfo lastlog libgen libintl link malloc mcheck mem memory mm_malloc
    mmintrin mntent monetary mqueue ndbm netdb nl_types nss obstack omp paths pax poll printf
    process pthread pty pwd quadmath re_comp regex regexp resolv sal sched search semaphore sgtty
    shadow spawn stab stdfix strings stropts syscall sysexits syslimits syslog tar
    targetconditionals termio termios thread_db trace ttyent ucontext ulimit unistd unwind utime
    utmp utmpx values varargs vcruntime wait windows wordexp x86intrin xmmintrin yvals yvals_core
    """
)
"""Headers of POSIX, of C libraries and of compilers, which others include."""

LIBRARIES = _words(
    "anl asan atomic c crypt dl gcc gcc_s gomp l lsan m mvec nsl pthread resolv rt trace tsan "
    "ubsan util xnet y"
)
"""Libraries that a linker is asked for: ``lib<model>.so`` would be found in their place."""

FUNCTIONS = _words(
    """
    acc acc_get_current_cuda aio argp_err_exit atomic cnd fanotify gomp inet6_opt inet6_option
    inet6_rth inotify mtx obstack omp omp_get omp_target pkey posix_spawn_file_actions
    posix_spawnattr pthread_attr pthread_barrier pthread_barrierattr pthread_cond pthread_condattr
    pthread_mutex pthread_mutexattr pthread_once pthread_rwlock pthread_rwlockattr pthread_spin
    re_syntax sem svc thrd tss xdr
    """
)
"""What precedes ``_init``, ``_free`` and the like in functions of C, POSIX and their libraries."""

MACROS = _words("argp_help_exit crypt_salt ex f mm ns_opt_dnssec r w x")
"""What precedes ``_OK`` and the like in macros of POSIX and of C libraries."""

DEVICES = _words(
    "aux con nul prn "
    + " ".join(f"{port}{number}" for port in ("com", "lpt") for number in range(10))
)
"""Names that are devices on Windows, with any suffix."""


def is_reserved(name: str) -> bool:
    """Tell whether a model may not be called ``name``, in capitals or not."""
    plain = name.lower()
    return plain in _listed() or not names_after(plain).isdisjoint(names_of_models())


def names_after(prefix: str) -> frozenset[str]:
    """Return what follows ``<prefix>_`` in names of the runtime that are not a model's."""
    start = f"{prefix.lower()}_"
    return frozenset(name.removeprefix(start) for name in _others() if name.startswith(start))


@cache
def names_of_models() -> frozenset[str]:
    """Return what follows ``<model>_`` in the names that each model has, in small letters."""
    start = "model_"
    return frozenset(name.removeprefix(start) for name in _runtime()[1] if name.startswith(start))


@cache
def _others() -> frozenset[str]:
    return frozenset(name for name in _runtime()[1] if not name.startswith("model_"))


@cache
def _listed() -> frozenset[str]:
    headers = C_HEADERS | CXX_HEADERS | SYSTEM_HEADERS
    return BUNDLE | GENERATED | headers | LIBRARIES | FUNCTIONS | MACROS | DEVICES | _runtime()[0]


@cache
def _runtime() -> tuple[frozenset[str], frozenset[str]]:
    """Return the stems of the runtime's files and the words in them, all in small letters.

    A template is C for a model called ``model``: the words that start so are each model's own.
    """
    runtime = files("autodeploy").joinpath("runtime")
    found = (*runtime.iterdir(), *runtime.joinpath("library").iterdir())
    sources = [file for file in found if file.name.endswith((".c", ".h"))]
    text = "\n".join(file.read_text(encoding="utf-8") for file in sources).lower()
    stems = frozenset(file.name.rpartition(".")[0] for file in sources)
    return stems, frozenset(re.findall(r"[a-z]\w*", text))
