package rt

import "strconv"

// Error is a raised Pluto error. Each declared error is a struct that embeds [Raised] and
// implements the rest; it is raised as a pointer, so a typed handler is a type switch.
type Error interface {
	ErrorName() string    // NotFound, m.NotFound
	ErrorMessage() string // what e.message of a wildcard handler gives
	ErrorText() string    // NotFound { key: "a", code: 3 }
	ErrorAt() string      // file:line of the raise, or ""
}

// Raised says where an error was raised: `&NotFound{Raised: rt.At(0, 3), ...}`. It is small and
// without pointers, so that raising costs as little as it can.
type Raised struct{ file, line uint32 } // file counts from 1; 0 when the place is not known

// At is a line of the file at an index of [Sources].
func At(file, line uint32) Raised { return Raised{file + 1, line} }

// ErrorAt implements part of [Error].
func (r *Raised) ErrorAt() string {
	if r.file == 0 || int(r.file) > len(sources) {
		return ""
	}
	return sources[r.file-1] + ":" + strconv.Itoa(int(r.line))
}

// The predeclared errors. A program that declares one of these names anew has its own type.
type (
	MathError struct {
		Raised
		Message string
	}
	RustError struct {
		Raised
		Message string
	}
	ChannelClosed struct {
		Raised
		Message string
	}
	ChannelFull struct {
		Raised
		Message string
	}
	ChannelEmpty struct {
		Raised
		Message string
	}
	TaskCancelled struct {
		Raised
		Message string
	}
	NetworkError struct {
		Raised
		Message string
	}
	TimeoutError struct {
		Raised
		Millis int64
	}
	ServiceUnavailable struct {
		Raised
		Service string
	}
)

func messageText(name, message string) string { return name + " { message: " + Quote(message) + " }" }

func (*MathError) ErrorName() string      { return "MathError" }
func (e *MathError) ErrorMessage() string { return e.Message }
func (e *MathError) ErrorText() string    { return messageText(e.ErrorName(), e.Message) }

func (*RustError) ErrorName() string      { return "RustError" }
func (e *RustError) ErrorMessage() string { return e.Message }
func (e *RustError) ErrorText() string    { return messageText(e.ErrorName(), e.Message) }

func (*ChannelClosed) ErrorName() string      { return "ChannelClosed" }
func (e *ChannelClosed) ErrorMessage() string { return e.Message }
func (e *ChannelClosed) ErrorText() string    { return messageText(e.ErrorName(), e.Message) }

func (*ChannelFull) ErrorName() string      { return "ChannelFull" }
func (e *ChannelFull) ErrorMessage() string { return e.Message }
func (e *ChannelFull) ErrorText() string    { return messageText(e.ErrorName(), e.Message) }

func (*ChannelEmpty) ErrorName() string      { return "ChannelEmpty" }
func (e *ChannelEmpty) ErrorMessage() string { return e.Message }
func (e *ChannelEmpty) ErrorText() string    { return messageText(e.ErrorName(), e.Message) }

func (*TaskCancelled) ErrorName() string      { return "TaskCancelled" }
func (e *TaskCancelled) ErrorMessage() string { return e.Message }
func (e *TaskCancelled) ErrorText() string    { return messageText(e.ErrorName(), e.Message) }

func (*NetworkError) ErrorName() string      { return "NetworkError" }
func (e *NetworkError) ErrorMessage() string { return e.Message }
func (e *NetworkError) ErrorText() string    { return messageText(e.ErrorName(), e.Message) }

func (*TimeoutError) ErrorName() string      { return "TimeoutError" }
func (e *TimeoutError) ErrorMessage() string { return strconv.FormatInt(e.Millis, 10) }
func (e *TimeoutError) ErrorText() string    { return "TimeoutError { millis: " + e.ErrorMessage() + " }" }

func (*ServiceUnavailable) ErrorName() string      { return "ServiceUnavailable" }
func (e *ServiceUnavailable) ErrorMessage() string { return e.Service }
func (e *ServiceUnavailable) ErrorText() string {
	return "ServiceUnavailable { service: " + Quote(e.Service) + " }"
}

// Frame is one call of a function whose closures can raise. Such a function begins with
//
//	fr := rt.NewFrame()
//	defer fr.Catch(&err) // err is its named result
//
// and its closures raise with panic(fr.Raise(e)).
type Frame struct {
	owner *task
	err   Error
	done  bool
}

// NewFrame starts a call.
func NewFrame() *Frame { return &Frame{owner: current()} }

// Raise prepares the way of e out of the function whose frame it is. The result is to be
// panicked with. When that function has returned already, or runs in another task, e ends
// the task as an error that nobody caught.
func (f *Frame) Raise(e Error) any {
	if f.owner == current() && !f.done {
		f.err = e
		return f
	}
	return Escape(e)
}

// Catch ends the call; it must be deferred directly.
func (f *Frame) Catch(err *Error) {
	f.done = true
	if f.err != nil {
		recover()
		*err = f.err
	}
}

// escape is the panic of an error that no function on the way can return.
type escape struct{ err Error }

// Escape makes the value to panic with when an error must leave a function that cannot
// return one: the task ends with it. Such is TaskCancelled under typed handlers that cover
// what is declared.
func Escape(e Error) any { return &escape{e} }
