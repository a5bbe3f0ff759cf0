// RUN: not autodeploy-opt %s --set-machine=machine=x86-64-avx2 --apply-records=records=none.jsonl 2>&1 | filecheck %s

// A file that cannot be read is an error.

builtin.module {
}

// CHECK: cannot read records 'none.jsonl': No such file or directory
