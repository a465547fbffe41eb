package main

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// A luaWriter translates functions to Lua. A statement that it cannot translate becomes a
// call of code, which ends the message there: the rest of its bytes is shown as data.
type luaWriter struct {
	g         *program
	supplied  map[string]bool       // what the hand-written part has, such as Reader:Uint8
	messages  map[types.Object]bool // types with the directive of messages
	variables map[types.Object]bool // that are written
	data      bytes.Buffer          // the variables
	text      bytes.Buffer          // the functions
	queue     []*types.Func
	reached   map[*types.Func]bool
	packages  map[string]bool   // that have names in Lua
	stops     map[string]string // why a function ends with code, by its name

	depth   int
	results []string     // names of the results of the function, if they have names
	returns *types.Tuple // the results
	loops   []string     // labels, "" in a switch
	labels  int
}

// known reports whether the hand-written part has a name.
func (w *luaWriter) known(name string) bool { return w.supplied[name] }

// use adds a function to those to write.
func (w *luaWriter) use(o types.Object) {
	w.packages[packageName(o.Pkg())] = true
	fn, ok := o.(*types.Func)
	if !ok || w.reached[fn] {
		return
	}
	w.reached[fn] = true
	w.queue = append(w.queue, fn)
}

// writeFunctions writes the functions in the queue, and the functions that these call.
func (w *luaWriter) writeFunctions() error {
	for len(w.queue) > 0 {
		fn := w.queue[0]
		w.queue = w.queue[1:]
		if err := w.function(fn, w.g.functions[fn]); err != nil {
			return err
		}
	}
	return nil
}

func (w *luaWriter) line(format string, args ...any) {
	w.text.WriteString(strings.Repeat("\t", w.depth))
	fmt.Fprintf(&w.text, format, args...)
	w.text.WriteByte('\n')
}

func (w *luaWriter) function(fn *types.Func, d *ast.FuncDecl) error {
	var params []string
	sig := fn.Signature()
	if r := sig.Recv(); r != nil {
		params = append(params, word(r.Name()))
	}
	for p := range sig.Params().Variables() {
		params = append(params, word(p.Name()))
	}
	w.results, w.returns, w.loops = nil, sig.Results(), nil
	w.text.WriteByte('\n')
	w.line("%s = function(%s)", nameOf(fn), strings.Join(params, ", "))
	w.depth++
	isCodec := fn.Name() == "decode" || fn.Name() == "layout"
	if r := sig.Recv(); r != nil && isCodec && w.messages[named(r.Type()).Obj()] {
		w.line("go.message(%q)", named(r.Type()).Obj().Name())
	}
	for v := range sig.Params().Variables() {
		if _, ok := v.Type().Underlying().(*types.Struct); ok && w.assigns(d.Body, v) {
			w.line("%[1]s = go.copy(%[1]s)", word(v.Name()))
		}
	}
	if err := w.declareResults(sig); err != nil {
		return err
	}
	w.block(d.Body.List, nameOf(fn))
	w.depth--
	w.line("end")
	return nil
}

// declareResults writes the results that have names.
func (w *luaWriter) declareResults(sig *types.Signature) error {
	for v := range sig.Results().Variables() {
		if v.Name() == "" {
			continue
		}
		w.results = append(w.results, word(v.Name()))
		x, err := w.zero(v.Type())
		if err != nil {
			return err
		}
		w.line("local %s = %s", word(v.Name()), x)
	}
	return nil
}

// assigns reports whether body assigns to a field of v.
func (w *luaWriter) assigns(body *ast.BlockStmt, v *types.Var) (found bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok {
			return true
		}
		for _, to := range a.Lhs {
			if s, ok := to.(*ast.SelectorExpr); ok {
				id, ok := s.X.(*ast.Ident)
				found = found || ok && w.g.info.Uses[id] == v
			}
		}
		return true
	})
	return found
}

// block writes statements. If one cannot be translated, code takes the place of it and of
// those that follow.
func (w *luaWriter) block(list []ast.Stmt, in string) {
	for _, s := range list {
		at := w.text.Len()
		depth, loops := w.depth, w.loops
		if err := w.statement(s, in); err != nil {
			w.text.Truncate(at)
			w.depth, w.loops = depth, loops
			w.line("code()")
			if !errors.Is(err, errEncodes) {
				w.stops[in] = err.Error()
			}
			return
		}
	}
}

// body writes statements one level deeper.
func (w *luaWriter) body(list []ast.Stmt, in string) {
	w.depth++
	w.block(list, in)
	w.depth--
}

func (w *luaWriter) statement(s ast.Stmt, in string) error {
	switch s := s.(type) {
	case *ast.ExprStmt:
		if to, from := w.copied(s.X); to != nil {
			x, err := w.expressions([]ast.Expr{to, from})
			if err != nil {
				return err
			}
			y, err := w.place(to)
			w.line("%s = go.fill(%s)", y, x)
			return err
		}
		x, err := w.expression(s.X)
		if err != nil {
			return err
		}
		if !strings.HasSuffix(x, ")") || strings.HasPrefix(x, "(") {
			return errors.New("a statement that is no call")
		}
		w.line("%s", x)
		return nil
	case *ast.AssignStmt:
		return w.assign(s)
	case *ast.IncDecStmt:
		op := token.ADD
		if s.Tok == token.DEC {
			op = token.SUB
		}
		return w.update(s.X, op, "1")
	case *ast.DeclStmt:
		return w.declare(s)
	case *ast.BlockStmt:
		w.line("do")
		w.body(s.List, in)
		w.line("end")
		return nil
	case *ast.IfStmt:
		return w.ifStatement(s, in)
	case *ast.SwitchStmt:
		return w.switchStatement(s, in)
	case *ast.TypeSwitchStmt:
		return w.typeSwitch(s, in)
	case *ast.ForStmt:
		return w.forStatement(s, in)
	case *ast.RangeStmt:
		return w.rangeStatement(s, in)
	case *ast.ReturnStmt:
		return w.returnStatement(s)
	case *ast.BranchStmt:
		return w.branch(s)
	}
	return fmt.Errorf("%T", s)
}

func (w *luaWriter) returnStatement(s *ast.ReturnStmt) error {
	list := slices.Clone(w.results)
	for i, e := range s.Results {
		if len(s.Results) == 1 && w.returns.Len() == 1 {
			w.name(w.returns.At(0).Type(), e)
		}
		x, err := w.expression(e)
		if err != nil {
			return err
		}
		if x == "nil" && isText(w.returns.At(i).Type()) {
			x = `""`
		}
		if i == 0 {
			list = nil
		}
		list = append(list, x)
	}
	w.line("do return %s end", strings.Join(list, ", "))
	return nil
}

// name writes the name of the message that e becomes as a value of an interface.
func (w *luaWriter) name(to types.Type, e ast.Expr) {
	n, ok := types.Unalias(w.g.info.TypeOf(e)).(*types.Named)
	if to != nil && types.IsInterface(to) && ok && w.isStruct(n) {
		w.line("go.message(%q)", n.Obj().Name())
	}
}

// copied returns the arguments of a call of copy that sets a whole array of bytes.
func (w *luaWriter) copied(e ast.Expr) (to, from ast.Expr) {
	call, ok := e.(*ast.CallExpr)
	if !ok || len(call.Args) != 2 {
		return nil, nil
	}
	id, isName := call.Fun.(*ast.Ident)
	whole, isSlice := call.Args[0].(*ast.SliceExpr)
	if !isName || !isSlice || id.Name != "copy" || whole.Low != nil || whole.High != nil {
		return nil, nil
	}
	if a, ok := w.g.info.TypeOf(whole.X).Underlying().(*types.Array); !ok || !isByte(a.Elem()) {
		return nil, nil
	}
	return whole.X, call.Args[1]
}

func (w *luaWriter) declare(s *ast.DeclStmt) error {
	for _, spec := range s.Decl.(*ast.GenDecl).Specs {
		v, ok := spec.(*ast.ValueSpec)
		if !ok {
			return errors.New("a declaration of a type")
		}
		if len(v.Values) > 0 && s.Decl.(*ast.GenDecl).Tok == token.VAR {
			x, err := w.expressions(v.Values)
			if err != nil || len(v.Values) != len(v.Names) {
				return errors.New("a declaration")
			}
			names := make([]string, len(v.Names))
			for i, id := range v.Names {
				names[i] = word(id.Name)
			}
			w.line("local %s = %s", strings.Join(names, ", "), x)
			continue
		}
		for _, id := range v.Names {
			if _, ok := w.g.info.Defs[id].(*types.Const); ok {
				continue
			}
			x, err := w.zero(w.g.info.TypeOf(id))
			if err != nil {
				return err
			}
			w.line("local %s = %s", word(id.Name), x)
		}
	}
	return nil
}

func (w *luaWriter) assign(s *ast.AssignStmt) error {
	if s.Tok != token.ASSIGN && s.Tok != token.DEFINE {
		y, err := w.expression(s.Rhs[0])
		if err != nil {
			return err
		}
		ops := map[token.Token]token.Token{
			token.ADD_ASSIGN: token.ADD, token.SUB_ASSIGN: token.SUB, token.OR_ASSIGN: token.OR,
			token.AND_ASSIGN: token.AND, token.AND_NOT_ASSIGN: token.AND_NOT, token.MUL_ASSIGN: token.MUL,
		}
		if ops[s.Tok] == 0 {
			return fmt.Errorf("the operator %s", s.Tok)
		}
		return w.update(s.Lhs[0], ops[s.Tok], y)
	}
	if len(s.Lhs) == 1 && len(s.Rhs) == 1 {
		w.name(w.g.info.TypeOf(s.Lhs[0]), s.Rhs[0])
	}
	x, err := w.expressions(s.Rhs)
	if a, ok := s.Rhs[0].(*ast.TypeAssertExpr); ok && len(s.Lhs) == 2 {
		if x, err = w.expression(a.X); err == nil {
			x = fmt.Sprintf("go.assert(%s, %q)", x, w.g.info.TypeOf(a.Type))
		}
	}
	if err != nil {
		return err
	}
	if p, ok := s.Lhs[0].(*ast.StarExpr); ok && w.isStruct(w.g.info.TypeOf(p)) && len(s.Lhs) == 1 {
		y, err := w.expression(p.X)
		w.line("go.assign(%s, %s)", y, x)
		return err
	}
	var to []string
	defines := 0
	for _, e := range s.Lhs {
		if id, ok := e.(*ast.Ident); ok {
			if id.Name == "_" || w.g.info.Defs[id] != nil {
				defines++
			}
			to = append(to, word(id.Name))
			continue
		}
		y, err := w.place(e)
		if err != nil {
			return err
		}
		to = append(to, y)
	}
	switch {
	case defines == len(to):
		w.line("local %s = %s", strings.Join(to, ", "), x)
		return nil
	case defines > 0:
		for _, e := range s.Lhs {
			if id, ok := e.(*ast.Ident); ok && (id.Name == "_" || w.g.info.Defs[id] != nil) {
				w.line("local %s", word(id.Name))
			}
		}
	}
	w.line("%s = %s", strings.Join(to, ", "), x)
	return nil
}

// place returns the left side of an assignment.
func (w *luaWriter) place(e ast.Expr) (string, error) {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident, *ast.SelectorExpr:
		return w.expression(e)
	case *ast.StarExpr:
		if w.isStruct(w.g.info.TypeOf(e)) {
			return "", errors.New("an assignment to a struct")
		}
		return w.expression(e)
	case *ast.IndexExpr:
		if isText(w.g.info.TypeOf(e.X)) {
			return "", errors.New("an assignment to a byte")
		}
		return w.index(e)
	}
	return "", fmt.Errorf("an assignment to %T", e)
}

func (w *luaWriter) update(e ast.Expr, op token.Token, y string) error {
	to, err := w.place(e)
	if err != nil {
		return err
	}
	x, err := operation(op, to, y, w.g.info.TypeOf(e))
	if err != nil {
		return err
	}
	w.line("%s = %s", to, x)
	return nil
}
