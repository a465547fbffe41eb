package main

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// filterName matches what Wireshark takes for the name of a field.
var filterName = regexp.MustCompile(`^\w+(\.\w+)+$`)

// A set has texts.
type set = map[string]bool

// fieldNames collects the names of the fields of messages, for filters. It over-estimates:
// each field of a function may stand in each structure that the function or one that calls
// it may have entered.
type fieldNames struct {
	w      *luaWriter
	texts  map[types.Object]set // that a variable or parameter may have
	scopes map[*types.Func]set  // the structures that a function may be in
	kinds  map[string]string    // the types of the fields in Wireshark, by package and name
	grows  bool
}

// kindsOf maps methods of the reader to the types of their fields in Wireshark.
var kindsOf = map[string]string{
	"Uint8": "uint32", "Uint16": "uint32", "Uint16LE": "uint32", "Uint32": "uint32", "Uint32LE": "uint32",
	"Const8": "uint32", "Const16": "uint32", "Uint64": "uint64", "Float32": "float", "IPv4": "ipv4",
	"Bytes": "bytes", "Array4": "bytes", "Rest": "bytes", "Skip": "bytes",
}

// typed returns the fields of the functions that w has written, with their types.
func (w *luaWriter) typed() map[string]string {
	n := fieldNames{w: w, texts: make(map[types.Object]set), scopes: make(map[*types.Func]set),
		kinds: make(map[string]string), grows: true}
	for fn := range w.reached {
		n.scopes[fn] = set{"": true}
	}
	for n.grows {
		n.grows = false
		for fn := range w.reached {
			ast.Inspect(w.g.functions[fn].Body, func(x ast.Node) bool {
				n.visit(fn, x)
				return true
			})
		}
	}
	return n.kinds
}

// visit adds what a part of fn says.
func (n *fieldNames) visit(fn *types.Func, x ast.Node) {
	info := &n.w.g.info
	switch x := x.(type) {
	case *ast.AssignStmt:
		if len(x.Lhs) == len(x.Rhs) {
			for i, to := range x.Lhs {
				if id, ok := to.(*ast.Ident); ok {
					n.flow(info.ObjectOf(id), x.Rhs[i])
				}
			}
		}
	case *ast.RangeStmt:
		if id, ok := x.Value.(*ast.Ident); ok {
			n.flow(info.ObjectOf(id), x.X)
		}
	case *ast.CallExpr:
		n.call(fn, x)
	}
}

// call adds what a call says.
func (n *fieldNames) call(fn *types.Func, x *ast.CallExpr) {
	info := &n.w.g.info
	id, _ := x.Fun.(*ast.Ident)
	if s, ok := x.Fun.(*ast.SelectorExpr); ok {
		id = s.Sel
	}
	if id == nil {
		return
	}
	called, ok := info.Uses[id].(*types.Func)
	if !ok {
		return
	}
	sig := called.Signature()
	if sig.Recv() != nil && isReader(sig.Recv().Type()) {
		n.read(fn, called, x)
		return
	}
	if !n.w.reached[called.Origin()] {
		return
	}
	called = called.Origin()
	sig = called.Signature()
	n.union(n.scopes[called], n.scopes[fn])
	for i, arg := range x.Args {
		if i < sig.Params().Len() {
			n.flow(sig.Params().At(i), arg)
		}
	}
}

// read adds the field or the structure that a call of the reader names.
func (n *fieldNames) read(fn, method *types.Func, x *ast.CallExpr) {
	params := method.Signature().Params()
	for i := range x.Args {
		switch params.At(i).Name() {
		case "name":
			if method.Name() == "In" {
				n.union(n.scopes[fn], n.textsOf(x.Args[i]))
			}
		case "field":
			kind := kindsOf[method.Name()]
			if kind == "" {
				kind = "string"
			}
			for field := range n.textsOf(x.Args[i]) {
				for scope := range n.scopes[fn] {
					n.add(packageName(fn.Pkg())+"."+strings.Trim(scope+"."+field, "."), kind)
				}
			}
		}
	}
}

// add adds a field. If it has several types, it is a text.
func (n *fieldNames) add(name, kind string) {
	name = strings.ToLower(name)
	if !filterName.MatchString(name) {
		return
	}
	switch known := n.kinds[name]; known {
	case kind, "string":
	case "":
		n.kinds[name], n.grows = kind, true
	default:
		n.kinds[name], n.grows = "string", true
	}
}

func (n *fieldNames) union(to, from set) {
	for s := range from {
		if !to[s] {
			to[s], n.grows = true, true
		}
	}
}

// flow notes that o may have the texts of e.
func (n *fieldNames) flow(o types.Object, e ast.Expr) {
	if o == nil {
		return
	}
	if n.texts[o] == nil {
		n.texts[o] = make(set)
	}
	n.union(n.texts[o], n.textsOf(e))
}

// textsOf returns the texts that e, or an element of it, may be.
func (n *fieldNames) textsOf(e ast.Expr) set {
	e = ast.Unparen(e)
	if v := n.w.g.info.Types[e].Value; v != nil {
		if v.Kind() == constant.String {
			return set{constant.StringVal(v): true}
		}
		return nil
	}
	all := make(set)
	switch e := e.(type) {
	case *ast.Ident:
		o := n.w.g.info.ObjectOf(e)
		maps.Copy(all, n.texts[o])
		if value := n.w.g.values[o]; value != nil {
			maps.Copy(all, n.textsOf(value))
		}
	case *ast.CompositeLit:
		for _, x := range e.Elts {
			if kv, ok := x.(*ast.KeyValueExpr); ok {
				x = kv.Value
			}
			maps.Copy(all, n.textsOf(x))
		}
	case *ast.IndexExpr:
		return n.textsOf(e.X)
	case *ast.SliceExpr:
		return n.textsOf(e.X)
	case *ast.SelectorExpr:
		return n.textsOf(e.X)
	case *ast.BinaryExpr:
		for x := range n.textsOf(e.X) {
			for y := range n.textsOf(e.Y) {
				if e.Op == token.ADD {
					all[x+y] = true
				}
			}
		}
	case *ast.CallExpr:
		id, _ := e.Fun.(*ast.Ident)
		if s, ok := e.Fun.(*ast.SelectorExpr); ok {
			id = s.Sel
		}
		if id == nil {
			break
		}
		fn, _ := n.w.g.info.Uses[id].(*types.Func)
		if d := n.w.g.functions[fn]; fn != nil && d != nil {
			for _, s := range d.Body.List {
				if r, ok := s.(*ast.ReturnStmt); ok && len(r.Results) == 1 {
					maps.Copy(all, n.textsOf(r.Results[0]))
				}
			}
		}
	}
	return all
}

// sorted returns the keys of m in order.
func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
