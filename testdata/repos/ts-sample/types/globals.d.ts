interface Versions { server: number; web: number }
declare var VERSIONS: Versions;
declare namespace JSX {
  interface Element {}
  interface ElementChildrenAttribute { children: {} }
  interface IntrinsicElements { [name: string]: any }
}
