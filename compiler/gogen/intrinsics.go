package gogen

import (
	"slices"
	"strings"
)

// Intrinsic is the Go function behind an extern of Pluto.
type Intrinsic struct {
	Pkg  string // the folder below compiler/rt, "" for the package rt itself
	Func string
	Sig  string // parameter types and result as Pluto writes them: "(string, [int]) bool"
}

// intrinsicPrefix is what the names of all intrinsics begin with.
const intrinsicPrefix = "__pluto_"

type intrinsicRow struct {
	name string
	Intrinsic
}

// intrinsics are all externs that there are, by name without the prefix, sorted. Packages
// other than rt are linked only by programs that declare one of their functions.
var intrinsics = []intrinsicRow{
	{"base64_decode", Intrinsic{"base64", "Decode", "(string, bool, [string]) string"}},
	{"base64_encode", Intrinsic{"base64", "Encode", "(string, bool) string"}},
	{"codepoint_to_string", Intrinsic{"text", "FromCodePoint", "(int) string"}},
	{"entropy_hex", Intrinsic{"entropy", "Hex", "(int) string"}},
	{"env_args", Intrinsic{"sys", "Args", "() [string]"}},
	{"env_clear", Intrinsic{"sys", "Unsetenv", "(string) int"}},
	{"env_exists", Intrinsic{"sys", "HasEnv", "(string) int"}},
	{"env_get", Intrinsic{"sys", "Getenv", "(string) string"}},
	{"env_get_or", Intrinsic{"sys", "GetenvOr", "(string, string) string"}},
	{"env_list_names", Intrinsic{"sys", "EnvNames", "() [string]"}},
	{"env_set", Intrinsic{"sys", "Setenv", "(string, string) int"}},
	{"fs_append_all", Intrinsic{"fs", "AppendAll", "(string, string) int"}},
	{"fs_close", Intrinsic{"fs", "Close", "(int) int"}},
	{"fs_copy", Intrinsic{"fs", "Copy", "(string, string) int"}},
	{"fs_exists", Intrinsic{"fs", "Exists", "(string) int"}},
	{"fs_file_size", Intrinsic{"fs", "FileSize", "(string) int"}},
	{"fs_is_dir", Intrinsic{"fs", "IsDir", "(string) int"}},
	{"fs_is_file", Intrinsic{"fs", "IsFile", "(string) int"}},
	{"fs_list", Intrinsic{"fs", "List", "(string, [string]) int"}},
	{"fs_list_dir", Intrinsic{"fs", "ListDir", "(string) [string]"}},
	{"fs_load", Intrinsic{"fs", "Load", "(string, [string]) int"}},
	{"fs_mkdir", Intrinsic{"fs", "Mkdir", "(string) int"}},
	{"fs_mkdir_all", Intrinsic{"fs", "MkdirAll", "(string) int"}},
	{"fs_modified_ms", Intrinsic{"fs", "ModifiedMs", "(string) int"}},
	{"fs_open_append", Intrinsic{"fs", "OpenAppend", "(string) int"}},
	{"fs_open_read", Intrinsic{"fs", "OpenRead", "(string) int"}},
	{"fs_open_write", Intrinsic{"fs", "OpenWrite", "(string) int"}},
	{"fs_read", Intrinsic{"fs", "Read", "(int, int) string"}},
	{"fs_read_all", Intrinsic{"fs", "ReadAll", "(string) string"}},
	{"fs_remove", Intrinsic{"fs", "Remove", "(string) int"}},
	{"fs_remove_all", Intrinsic{"fs", "RemoveAll", "(string) int"}},
	{"fs_rename", Intrinsic{"fs", "Rename", "(string, string) int"}},
	{"fs_rmdir", Intrinsic{"fs", "Rmdir", "(string) int"}},
	{"fs_seek", Intrinsic{"fs", "Seek", "(int, int, int) int"}},
	{"fs_seek_cur", Intrinsic{"fs", "SeekCur", "() int"}},
	{"fs_seek_end", Intrinsic{"fs", "SeekEnd", "() int"}},
	{"fs_seek_set", Intrinsic{"fs", "SeekSet", "() int"}},
	{"fs_strerror", Intrinsic{"fs", "Strerror", "(int) string"}},
	{"fs_temp_dir", Intrinsic{"fs", "TempDir", "() string"}},
	{"fs_write", Intrinsic{"fs", "Write", "(int, string) int"}},
	{"fs_write_all", Intrinsic{"fs", "WriteAll", "(string, string) int"}},
	{"http_post", Intrinsic{"web", "Post", "(string, string, int) string"}},
	{"http_read", Intrinsic{"http", "Read", "(int, int, int, [string]) string"}},
	{"http_read_request", Intrinsic{"http", "ReadRaw", "(int) string"}},
	{"http_request", Intrinsic{"web", "Request", "(string, string, string, string, int, [string]) int"}},
	{"http_url_decode", Intrinsic{"text", "URLDecode", "(string) string"}},
	{"http_url_encode", Intrinsic{"text", "URLEncode", "(string) string"}},
	{"io_eprintln", Intrinsic{"", "Warn", "(string)"}},
	{"io_flush", Intrinsic{"", "Flush", "()"}},
	{"io_next_line", Intrinsic{"", "NextLine", "([string]) int"}},
	{"io_read_all", Intrinsic{"", "ReadAll", "() string"}},
	{"io_read_line", Intrinsic{"", "ReadLine", "() string"}},
	{"json_parse_float", Intrinsic{"json", "ParseFloat", "(string) float"}},
	{"json_parse_int", Intrinsic{"json", "ParseInt", "(string) int"}},
	{"json_render", Intrinsic{"json", "Render", "([int], [float], [string], int) string"}},
	{"json_scan", Intrinsic{"json", "Scan", "(string, [int], [float], [string]) string"}},
	{"log_get_level", Intrinsic{"sys", "LogLevel", "() int"}},
	{"log_set_level", Intrinsic{"sys", "SetLogLevel", "(int)"}},
	{"log_write", Intrinsic{"sys", "Log", "(int, int, string)"}},
	{"log_write_structured", Intrinsic{"sys", "LogFields", "(int, int, string, [string], [string])"}},
	{"net_connect", Intrinsic{"net", "TCPConnect", "(string, int, int, [string]) int"}},
	{"net_listen", Intrinsic{"net", "TCPListen", "(string, int, [string]) int"}},
	{"net_peer_address", Intrinsic{"net", "PeerAddress", "(int) string"}},
	{"print_string", Intrinsic{"", "PrintString", "(string)"}},
	{"print_string_no_newline", Intrinsic{"", "Write", "(string)"}},
	{"random_between", Intrinsic{"sys", "RandomBetween", "(int, int) int"}},
	{"random_float", Intrinsic{"sys", "RandomFloat", "() float"}},
	{"random_hex", Intrinsic{"sys", "RandomHex", "(int) string"}},
	{"random_int", Intrinsic{"sys", "RandomInt", "() int"}},
	{"random_seed", Intrinsic{"sys", "Seed", "(int)"}},
	{"random_seeded", Intrinsic{"sys", "Seeded", "() bool"}},
	{"regex_check", Intrinsic{"regex", "Check", "(string) string"}},
	{"regex_expand_all", Intrinsic{"regex", "ExpandAll", "(string, string, string) string"}},
	{"regex_find", Intrinsic{"regex", "Find", "(string, string) [int]"}},
	{"regex_find_all", Intrinsic{"regex", "FindAll", "(string, string) [int]"}},
	{"regex_group_names", Intrinsic{"regex", "GroupNames", "(string) [string]"}},
	{"regex_groups", Intrinsic{"regex", "Groups", "(string) int"}},
	{"regex_matches", Intrinsic{"regex", "Matches", "(string, string) bool"}},
	{"regex_quote", Intrinsic{"regex", "Quote", "(string) string"}},
	{"regex_replace", Intrinsic{"regex", "Replace", "(string, string, string) string"}},
	{"regex_replace_all", Intrinsic{"regex", "ReplaceAll", "(string, string, string) string"}},
	{"regex_split", Intrinsic{"regex", "Split", "(string, string) [string]"}},
	{"rpc_extract_bool", Intrinsic{"json", "ExtractBool", "(string) bool"}},
	{"rpc_extract_float", Intrinsic{"json", "ExtractFloat", "(string) float"}},
	{"rpc_extract_int", Intrinsic{"json", "ExtractInt", "(string) int"}},
	{"rpc_extract_string", Intrinsic{"json", "ExtractString", "(string) string"}},
	{"socket_accept", Intrinsic{"net", "Accept", "(int) int"}},
	{"socket_bind", Intrinsic{"net", "Bind", "(int, string, int) int"}},
	{"socket_close", Intrinsic{"net", "Close", "(int) int"}},
	{"socket_connect", Intrinsic{"net", "Connect", "(int, string, int) int"}},
	{"socket_create", Intrinsic{"net", "Create", "(int, int, int) int"}},
	{"socket_get_port", Intrinsic{"net", "Port", "(int) int"}},
	{"socket_last_error", Intrinsic{"net", "LastError", "(int) string"}},
	{"socket_listen", Intrinsic{"net", "Listen", "(int, int) int"}},
	{"socket_read", Intrinsic{"net", "Read", "(int, int) string"}},
	{"socket_set_reuseaddr", Intrinsic{"net", "SetReuseaddr", "(int) int"}},
	{"socket_set_timeout", Intrinsic{"net", "SetTimeout", "(int, int) int"}},
	{"socket_write", Intrinsic{"net", "Write", "(int, string) int"}},
	{"sort_floats", Intrinsic{"order", "Floats", "([float])"}},
	{"sort_ints", Intrinsic{"order", "Ints", "([int])"}},
	{"sort_strings", Intrinsic{"order", "Strings", "([string])"}},
	{"string_byte_at", Intrinsic{"", "StrByteAt", "(string, int) int"}},
	{"string_char_at", Intrinsic{"", "StrAt", "(string, int) string"}},
	{"string_codepoints", Intrinsic{"text", "CodePoints", "(string) [int]"}},
	{"string_compare", Intrinsic{"text", "Compare", "(string, string) int"}},
	{"string_contains", Intrinsic{"text", "Contains", "(string, string) int"}},
	{"string_count", Intrinsic{"", "StrCount", "(string, string) int"}},
	{"string_ends_with", Intrinsic{"text", "EndsWith", "(string, string) int"}},
	{"string_format_float", Intrinsic{"", "ShowFloat", "(float) string"}},
	{"string_index_of", Intrinsic{"", "StrIndexOf", "(string, string) int"}},
	{"string_is_empty", Intrinsic{"text", "IsEmpty", "(string) int"}},
	{"string_is_whitespace", Intrinsic{"text", "IsWhitespace", "(string) int"}},
	{"string_join", Intrinsic{"", "StrJoin", "([string], string) string"}},
	{"string_last_index_of", Intrinsic{"", "StrLastIndexOf", "(string, string) int"}},
	{"string_len", Intrinsic{"", "StrLen", "(string) int"}},
	{"string_repeat", Intrinsic{"", "StrRepeat", "(string, int) string"}},
	{"string_replace", Intrinsic{"", "StrReplace", "(string, string, string) string"}},
	{"string_split", Intrinsic{"", "StrSplit", "(string, string) [string]"}},
	{"string_starts_with", Intrinsic{"text", "StartsWith", "(string, string) int"}},
	{"string_substring", Intrinsic{"", "StrSubstring", "(string, int, int) string"}},
	{"string_to_lower", Intrinsic{"", "StrToLower", "(string) string"}},
	{"string_to_upper", Intrinsic{"", "StrToUpper", "(string) string"}},
	{"string_trim", Intrinsic{"", "StrTrim", "(string) string"}},
	{"string_trim_end", Intrinsic{"", "StrTrimEnd", "(string) string"}},
	{"string_trim_start", Intrinsic{"", "StrTrimStart", "(string) string"}},
	{"time_ns", Intrinsic{"", "TimeNs", "() int"}},
	{"time_sleep_ms", Intrinsic{"sys", "SleepMs", "(int)"}},
	{"time_sleep_ns", Intrinsic{"", "SleepNs", "(int)"}},
	{"time_wall_ns", Intrinsic{"sys", "WallNs", "() int"}},
}

// Lookup finds the function behind an extern by the extern's whole name.
func Lookup(name string) (Intrinsic, bool) {
	short, ok := strings.CutPrefix(name, intrinsicPrefix)
	if !ok {
		return Intrinsic{}, false
	}
	i, ok := slices.BinarySearchFunc(intrinsics, short, func(row intrinsicRow, name string) int {
		return strings.Compare(row.name, name)
	})
	if !ok {
		return Intrinsic{}, false
	}
	return intrinsics[i].Intrinsic, true
}
