package rt

// Opt is T? for int, float, bool, string, byte and enums without payloads. Its zero value is
// none, and V is zero then, so that two of them compare by content.
type Opt[T any] struct {
	V  T
	OK bool
}

// Some wraps a value.
func Some[T any](v T) Opt[T] { return Opt[T]{v, true} }

// Void is the result of a task without one.
type Void = struct{}
