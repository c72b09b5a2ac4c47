// This file makes the compiler accept the body-less declarations of local.go.
