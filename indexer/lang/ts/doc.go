// Package ts is the TypeScript and JavaScript front end. It binds every name through
// the checker of typescript-go, in process, so that a reference list is what the
// language service would give. Start at extract.go (how a run goes), then decls.go
// (what becomes a node) and refs.go (what becomes an edge).
//
// The rules of references, for maintainers:
//
//   - Every identifier that names a declaration gives one edge to it: uses, import and
//     export specifiers (both names of `a as b`), closing JSX tags, names in JSDoc links.
//     An alias (import, re-export, `export default x`) is never a node: its names
//     refer to what it stands for.
//   - A name that declares gives no edge to itself, whichever of its declarations it is.
//   - The key of an object literal, or a JSX attribute, writes the property of the
//     contextual type; a shorthand key also reads the variable.
//   - A destructuring key reads the property.
//   - Importing `export default f(x)` uses x as well as the default export: most often f
//     is a wrapper of a component.
//   - In JavaScript, what require gives refers to what module.exports was set to; the
//     language service stops at the assignment.
//   - A property of a union or mapped type refers to every declaration behind it.
//   - Declarations that TypeScript merges are one symbol if they share a meaning
//     (value, type, namespace) and several otherwise; a use binds by its own meaning.
//
// All paths inside the checker live below a virtual root, so that nothing depends on
// where the project lies on disk.
package ts
