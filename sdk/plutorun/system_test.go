package plutorun_test

import "runtime"

const thisSystem = runtime.GOOS + "-" + runtime.GOARCH
