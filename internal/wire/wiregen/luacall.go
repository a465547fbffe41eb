package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/types"
	"strings"
)

// errEncodes is the error for a call in a function that also encodes. Decoding never gets
// there.
var errEncodes = errors.New("a call of a Writer")

// call returns a call.
func (w *luaWriter) call(e *ast.CallExpr) (string, error) {
	fun := ast.Unparen(e.Fun)
	if id, ok := fun.(*ast.Ident); e.Ellipsis.IsValid() && ok && id.Name == "append" {
		args, err := w.expressions(e.Args)
		return "go.concat(" + args + ")", err
	}
	if e.Ellipsis.IsValid() {
		return "", errors.New("a call with a list of arguments")
	}
	if w.g.info.Types[fun].IsType() {
		return w.conversion(w.g.info.TypeOf(fun), e.Args[0])
	}
	if id, ok := fun.(*ast.Ident); ok {
		if _, ok := w.g.info.Uses[id].(*types.Builtin); ok {
			return w.builtin(id.Name, e.Args)
		}
	}
	args, err := w.expressions(e.Args)
	if err != nil {
		return "", err
	}
	var id *ast.Ident
	receiver := ""
	switch fun := fun.(type) {
	case *ast.Ident:
		id = fun
	case *ast.SelectorExpr:
		id = fun.Sel
		s := w.g.info.Selections[fun]
		if s == nil {
			break
		}
		if s.Kind() != types.MethodVal || types.IsInterface(s.Recv()) {
			return "", errors.New("a call of a field, or of a method of an interface")
		}
		if isOfWire(s.Recv(), "Writer") {
			return "", errEncodes
		}
		if n := named(s.Recv()); n.Obj().Pkg().Path() == "encoding/binary" {
			return "go.binary_" + n.Obj().Name() + "_" + id.Name + "(" + args + ")", nil
		}
		if receiver, err = w.embedded(fun.X, s, len(s.Index())-1); err != nil {
			return "", err
		}
		if isReader(s.Recv()) {
			if !w.known("Reader:" + id.Name) {
				return "", fmt.Errorf("Reader.%s", id.Name)
			}
			return receiver + ":" + id.Name + "(" + args + ")", nil
		}
	default:
		return "", fmt.Errorf("a call of %T", fun)
	}
	if v, ok := w.g.info.Uses[id].(*types.Var); ok && receiver == "" {
		return word(v.Name()) + "(" + args + ")", nil
	}
	fn, ok := w.g.info.Uses[id].(*types.Func)
	if !ok {
		return "", fmt.Errorf("a call of %s", id.Name)
	}
	if receiver != "" {
		args = strings.TrimSuffix(receiver+", "+args, ", ")
	}
	fn = fn.Origin()
	name := nameOf(fn)
	if supplied := "go." + strings.ReplaceAll(name, ".", "_"); w.known(supplied) {
		return supplied + "(" + args + ")", nil
	}
	if w.g.functions[fn.Origin()] == nil || !w.isCodec(fn) {
		return "", fmt.Errorf("the function %s", name)
	}
	w.use(fn)
	return name + "(" + args + ")", nil
}

// isCodec reports whether fn may be translated. The package wire is written by hand.
func (w *luaWriter) isCodec(fn *types.Func) bool {
	return fn.Pkg().Path() != w.g.module+"/internal/wire"
}

func (w *luaWriter) conversion(to types.Type, arg ast.Expr) (string, error) {
	x, err := w.expression(arg)
	from := w.g.info.TypeOf(arg)
	target, isBasic := to.Underlying().(*types.Basic)
	source, fromBasic := from.Underlying().(*types.Basic)
	switch {
	case err != nil:
		return "", err
	case isText(to) && isText(from):
		if a, ok := to.Underlying().(*types.Array); ok {
			return fmt.Sprintf("go.slice(%s, 0, %d)", x, a.Len()), nil
		}
		return x, nil
	case isBasic && fromBasic && target.Info()&types.IsInteger != 0 && source.Info()&types.IsInteger != 0:
		n := bits(to)
		switch m := bits(from); {
		case n > 0 && (m == 0 || m > n):
			return fmt.Sprintf("(%s %% 2^%d)", x, n), nil
		case target.Kind() == types.Int32:
			return "go.int32(" + x + ")", nil
		case target.Kind() == types.Int8, target.Kind() == types.Int16:
			return "", errors.New("a conversion to a small signed number")
		}
		return x, nil
	case !isBasic && !fromBasic:
		return x, nil
	}
	return "", fmt.Errorf("a conversion to %s", to)
}

func (w *luaWriter) builtin(name string, list []ast.Expr) (string, error) {
	switch name {
	case "len", "cap", "copy", "min", "max", "append":
		args, err := w.expressions(list)
		if err == nil && name == "append" && isText(w.g.info.TypeOf(list[0])) {
			break
		}
		if name == "copy" {
			name = "copied"
		}
		return "go." + name + "(" + args + ")", err
	case "new":
		return w.zero(w.g.info.TypeOf(list[0]))
	case "make":
		t, ok := w.g.info.TypeOf(list[0]).Underlying().(*types.Slice)
		if !ok || len(list) < 2 {
			break
		}
		n, err := w.expression(list[1])
		if err != nil {
			return "", err
		}
		if isByte(t.Elem()) {
			return fmt.Sprintf(`("\0"):rep(%s)`, n), nil
		}
		x, err := w.zero(t.Elem())
		return fmt.Sprintf("go.make(%s, function() return %s end)", n, x), err
	}
	return "", fmt.Errorf("the function %s", name)
}
