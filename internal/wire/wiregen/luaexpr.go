package main

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"
	"strings"
)

// expression returns e in Lua. Bytes and texts are strings there, other slices and arrays
// are tables with their length n, and structs are tables.
func (w *luaWriter) expression(e ast.Expr) (string, error) {
	e = ast.Unparen(e)
	t := w.g.info.Types[e]
	if call, ok := e.(*ast.CallExpr); ok && w.isReason(t.Type) {
		return w.reason(call, t.Type)
	}
	if t.Value != nil {
		return literal(t.Value)
	}
	switch e := e.(type) {
	case *ast.Ident:
		return w.ident(e)
	case *ast.SelectorExpr:
		return w.selector(e)
	case *ast.CallExpr:
		return w.call(e)
	case *ast.BinaryExpr:
		return w.binary(e)
	case *ast.UnaryExpr:
		return w.unary(e)
	case *ast.StarExpr:
		x, err := w.expression(e.X)
		if w.isStruct(t.Type) {
			return "go.copy(" + x + ")", err
		}
		return x + ".value", err
	case *ast.FuncLit:
		return w.closure(e)
	case *ast.IndexExpr:
		return w.index(e)
	case *ast.SliceExpr:
		return w.slice(e)
	case *ast.CompositeLit:
		return w.composite(e)
	}
	return "", fmt.Errorf("%T", e)
}

// isReason reports whether t is a text of package wire that is an error.
func (w *luaWriter) isReason(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && w.known("go.wire_"+n.Obj().Name())
}

// reason returns a conversion to such a text.
func (w *luaWriter) reason(call *ast.CallExpr, t types.Type) (string, error) {
	x, err := w.expression(call.Args[0])
	return "go.wire_" + named(t).Obj().Name() + "(" + x + ")", err
}

// isStruct reports whether values of t are tables in Lua. Structs of the standard library are
// opaque.
func (w *luaWriter) isStruct(t types.Type) bool {
	_, ok := t.Underlying().(*types.Struct)
	return ok && !w.isOpaque(t)
}

// isOpaque reports whether t is a type of another module, such as an address.
func (w *luaWriter) isOpaque(t types.Type) bool {
	n := named(t)
	return n != nil && n.Obj().Pkg() != nil && !strings.HasPrefix(n.Obj().Pkg().Path(), w.g.module)
}

// closure returns a function without a name.
func (w *luaWriter) closure(e *ast.FuncLit) (string, error) {
	var params []string
	for _, f := range e.Type.Params.List {
		for _, id := range f.Names {
			params = append(params, word(id.Name))
		}
	}
	text, results, returns, loops := w.text, w.results, w.returns, w.loops
	w.text, w.results, w.loops = bytes.Buffer{}, nil, nil
	sig := w.g.info.TypeOf(e).(*types.Signature)
	w.returns = sig.Results()
	w.depth++
	err := w.declareResults(sig)
	w.block(e.Body.List, "a function")
	w.depth--
	body := w.text.String()
	w.text, w.results, w.returns, w.loops = text, results, returns, loops
	return fmt.Sprintf("function(%s)\n%s%send", strings.Join(params, ", "), body, strings.Repeat("\t", w.depth)), err
}

// expressions returns a list in Lua.
func (w *luaWriter) expressions(list []ast.Expr) (string, error) {
	all := make([]string, len(list))
	for i, e := range list {
		x, err := w.expression(e)
		if err != nil {
			return "", err
		}
		all[i] = x
	}
	return strings.Join(all, ", "), nil
}

func literal(v constant.Value) (string, error) {
	switch v.Kind() {
	case constant.Bool, constant.Int:
		return v.ExactString(), nil
	case constant.String:
		return luaText(constant.StringVal(v)), nil
	}
	return "", errors.New("a constant of another kind")
}

// luaText returns s in quotes.
func luaText(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range []byte(s) {
		if c < ' ' || c == '"' || c == '\\' || c > '~' {
			fmt.Fprintf(&b, `\%03d`, c)
			continue
		}
		b.WriteByte(c)
	}
	b.WriteByte('"')
	return b.String()
}

func (w *luaWriter) ident(id *ast.Ident) (string, error) {
	o := w.g.info.ObjectOf(id)
	switch o := o.(type) {
	case *types.Nil:
		return "nil", nil
	case *types.Func:
		w.use(o)
		return nameOf(o), nil
	case *types.Var:
		if o.Parent() != o.Pkg().Scope() {
			return word(o.Name()), nil
		}
		if value := w.g.values[o]; value != nil {
			return w.variable(o, value)
		}
	}
	return "", fmt.Errorf("the name %s", id.Name)
}

// variable returns the name of a variable of a package, and writes its value once.
func (w *luaWriter) variable(o types.Object, value ast.Expr) (string, error) {
	if !strings.HasPrefix(o.Pkg().Path(), w.g.module) {
		return "", errors.New("a variable of another module")
	}
	name := nameOf(o)
	if w.known("go." + strings.ReplaceAll(name, ".", "_")) {
		return "go." + strings.ReplaceAll(name, ".", "_"), nil
	}
	if !w.variables[o] {
		x, err := w.expression(value)
		if err != nil {
			return "", err
		}
		w.variables[o] = true
		fmt.Fprintf(&w.data, "%s = %s\n", name, x)
		w.use(o)
	}
	return name, nil
}

func (w *luaWriter) selector(e *ast.SelectorExpr) (string, error) {
	if s := w.g.info.Selections[e]; s != nil {
		if s.Kind() != types.FieldVal {
			return "", errors.New("a method as a value")
		}
		return w.embedded(e.X, s, len(s.Index()))
	}
	o, ok := w.g.info.Uses[e.Sel].(*types.Var)
	if !ok {
		return "", errors.New("a name of another package")
	}
	if value := w.g.values[o]; value != nil {
		return w.variable(o, value)
	}
	return "", errors.New("a variable of another package")
}

// embedded returns the first n fields that a selection goes through.
func (w *luaWriter) embedded(e ast.Expr, s *types.Selection, n int) (string, error) {
	x, err := w.expression(e)
	t := s.Recv()
	for _, i := range s.Index()[:n] {
		if p, ok := t.Underlying().(*types.Pointer); ok {
			t = p.Elem()
		}
		f := t.Underlying().(*types.Struct).Field(i)
		x, t = x+"."+word(f.Name()), f.Type()
	}
	return x, err
}

// isText reports whether values of t are strings in Lua.
func isText(t types.Type) bool {
	if p, ok := t.(*types.TypeParam); ok {
		return isTextual(p)
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&types.IsString != 0
	case *types.Slice:
		return isByte(u.Elem())
	case *types.Array:
		return isByte(u.Elem())
	}
	return false
}

// isTextual reports whether all types that p admits are texts.
func isTextual(p *types.TypeParam) bool {
	i := p.Constraint().Underlying().(*types.Interface)
	for t := range i.EmbeddedTypes() {
		u, ok := t.(*types.Union)
		if !ok {
			return false
		}
		for term := range u.Terms() {
			if !isText(term.Type()) {
				return false
			}
		}
	}
	return i.NumEmbeddeds() > 0
}

// isByte reports whether t is byte. Lists of other types of that size are tables.
func isByte(t types.Type) bool {
	b, ok := types.Unalias(t).(*types.Basic)
	return ok && b.Kind() == types.Uint8
}

// bits returns the size of an unsigned type of up to 32 bits, or 0.
func bits(t types.Type) int {
	b, ok := t.Underlying().(*types.Basic)
	if !ok {
		return 0
	}
	return map[types.BasicKind]int{types.Uint8: 8, types.Uint16: 16, types.Uint32: 32}[b.Kind()]
}

var plainOperators = map[token.Token]string{
	token.LAND: "and", token.LOR: "or", token.EQL: "==", token.NEQ: "~=", token.LSS: "<", token.LEQ: "<=",
	token.GTR: ">", token.GEQ: ">=", token.ADD: "+", token.SUB: "-", token.MUL: "*", token.REM: "%",
}

var bitOperators = map[token.Token]string{
	token.AND: "band", token.OR: "bor", token.XOR: "bxor", token.AND_NOT: "bclear",
	token.SHL: "shl", token.SHR: "shr", token.QUO: "div",
}

func (w *luaWriter) binary(e *ast.BinaryExpr) (string, error) {
	x, err := w.expression(e.X)
	if err != nil {
		return "", err
	}
	y, err := w.expression(e.Y)
	if err != nil {
		return "", err
	}
	t := w.g.info.TypeOf(e.X)
	if (w.g.info.Types[e.X].IsNil() || w.g.info.Types[e.Y].IsNil()) && isText(t) {
		return "", errors.New("a comparison of bytes with nil")
	}
	if (e.Op == token.EQL || e.Op == token.NEQ) && x != "nil" && y != "nil" {
		if _, ok := t.Underlying().(*types.Basic); !ok && !isText(t) {
			return "", errors.New("a comparison of structs")
		}
	}
	return operation(e.Op, x, y, t)
}

// operation returns an operation on values of type t.
func operation(op token.Token, x, y string, t types.Type) (string, error) {
	b, isBasic := t.Underlying().(*types.Basic)
	if op == token.ADD && isText(t) {
		return "(" + x + " .. " + y + ")", nil
	}
	if isBasic && b.Info()&types.IsFloat != 0 {
		return "", errors.New("arithmetic with fractions")
	}
	n := bits(t)
	if name := bitOperators[op]; name != "" {
		x = fmt.Sprintf("go.%s(%s, %s)", name, x, y)
		if op == token.SHL && n > 0 {
			x = fmt.Sprintf("(%s %% 2^%d)", x, n)
		}
		return x, nil
	}
	name := plainOperators[op]
	if name == "" {
		return "", fmt.Errorf("the operator %s", op)
	}
	x = "(" + x + " " + name + " " + y + ")"
	if n > 0 && (op == token.ADD || op == token.SUB || op == token.MUL) {
		x = fmt.Sprintf("(%s %% 2^%d)", x, n)
	}
	return x, nil
}

func (w *luaWriter) unary(e *ast.UnaryExpr) (string, error) {
	x, err := w.expression(e.X)
	switch {
	case err != nil:
	case e.Op == token.NOT:
		return "not (" + x + ")", nil
	case e.Op == token.SUB:
		return "-" + x, nil
	case e.Op == token.AND && w.isStruct(w.g.info.TypeOf(e.X)):
		return x, nil
	case e.Op == token.AND:
		if x, err = w.place(e.X); err == nil {
			return fmt.Sprintf("go.pointer(%q, function() return %s end, function(v) %[2]s = v end)",
				w.g.info.TypeOf(e), x), nil
		}
	default:
		err = fmt.Errorf("the operator %s", e.Op)
	}
	return "", err
}

func (w *luaWriter) index(e *ast.IndexExpr) (string, error) {
	t := w.g.info.TypeOf(e.X)
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	x, err := w.expression(e.X)
	if err != nil {
		return "", err
	}
	i, err := w.expression(e.Index)
	if err != nil {
		return "", err
	}
	if isText(t) {
		return fmt.Sprintf("go.byte(%s, %s)", x, i), nil
	}
	switch t.Underlying().(type) {
	case *types.Slice, *types.Array:
		return fmt.Sprintf("%s[%s + 1]", prefix(x), i), nil
	}
	return "", fmt.Errorf("an index of %s", t)
}

// prefix returns x as an expression that an index may follow.
func prefix(x string) string {
	if strings.HasPrefix(x, "{") {
		return "(" + x + ")"
	}
	return x
}

func (w *luaWriter) slice(e *ast.SliceExpr) (string, error) {
	x, err := w.expression(e.X)
	if err != nil {
		return "", err
	}
	low, high := "0", "nil"
	if e.Low != nil {
		if low, err = w.expression(e.Low); err != nil {
			return "", err
		}
	}
	if e.High != nil {
		if high, err = w.expression(e.High); err != nil {
			return "", err
		}
	}
	return fmt.Sprintf("go.slice(%s, %s, %s)", x, low, high), nil
}

// composite returns a struct, an array or a slice.
func (w *luaWriter) composite(e *ast.CompositeLit) (string, error) {
	t := w.g.info.TypeOf(e)
	switch u := t.Underlying().(type) {
	case *types.Struct:
		set := make(map[string]string)
		for i, part := range e.Elts {
			name, value := u.Field(i).Name(), part
			if kv, ok := part.(*ast.KeyValueExpr); ok {
				name, value = kv.Key.(*ast.Ident).Name, kv.Value
			}
			x, err := w.expression(value)
			if err != nil {
				return "", err
			}
			set[name] = x
		}
		return w.structure(u, set)
	case *types.Slice, *types.Array:
		if isText(t) {
			if len(e.Elts) == 0 {
				return w.zero(t)
			}
			list, err := w.expressions(e.Elts)
			return "string.char(" + list + ")", err
		}
		var list []string
		for i, part := range e.Elts {
			if kv, ok := part.(*ast.KeyValueExpr); ok {
				i, _ = strconv.Atoi(w.g.info.Types[kv.Key].Value.ExactString())
				part = kv.Value
			}
			if i < len(list) {
				return "", errors.New("a list out of order")
			}
			x, err := w.zero(w.g.info.TypeOf(part))
			for err == nil && len(list) < i {
				list = append(list, x)
			}
			if err == nil {
				x, err = w.expression(part)
			}
			if err != nil {
				return "", err
			}
			list = append(list, x)
		}
		if a, ok := u.(*types.Array); ok && a.Len() != int64(len(list)) {
			break
		}
		return fmt.Sprintf("{n = %d, %s}", len(list), strings.Join(list, ", ")), nil
	}
	return "", fmt.Errorf("a value of %s", t)
}

// structure returns a struct with the fields that are set, and zero values.
func (w *luaWriter) structure(u *types.Struct, set map[string]string) (string, error) {
	var list []string
	for f := range u.Fields() {
		x := set[f.Name()]
		if x == "" {
			var err error
			if x, err = w.zero(f.Type()); err != nil {
				return "", err
			}
		}
		if x != "nil" {
			list = append(list, word(f.Name())+" = "+x)
		}
	}
	return "{" + strings.Join(list, ", ") + "}", nil
}

// zero returns the zero value of t.
func (w *luaWriter) zero(t types.Type) (string, error) {
	if w.isOpaque(t) {
		return "nil", nil
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case u.Info()&types.IsBoolean != 0:
			return "false", nil
		case u.Info()&types.IsNumeric != 0:
			return "0", nil
		case u.Info()&types.IsString != 0:
			return `""`, nil
		}
	case *types.Struct:
		return w.structure(u, nil)
	case *types.Array:
		if isByte(u.Elem()) {
			return fmt.Sprintf(`("\0"):rep(%d)`, u.Len()), nil
		}
		x, err := w.zero(u.Elem())
		return fmt.Sprintf("go.make(%d, function() return %s end)", u.Len(), x), err
	case *types.Slice:
		if isByte(u.Elem()) {
			return `""`, nil
		}
		return "nil", nil
	case *types.Pointer, *types.Map, *types.Signature, *types.Interface:
		return "nil", nil
	}
	return "", fmt.Errorf("the zero value of %s", t)
}
