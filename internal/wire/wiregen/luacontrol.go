package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

func (w *luaWriter) branch(s *ast.BranchStmt) error {
	if s.Label != nil || len(w.loops) == 0 {
		return errors.New("a branch to a label")
	}
	switch last := w.loops[len(w.loops)-1]; {
	case s.Tok == token.BREAK && last != "":
		w.line("break")
		return nil
	case s.Tok == token.CONTINUE:
		for _, label := range slices.Backward(w.loops) {
			if label != "" {
				w.line("goto %s", label)
				return nil
			}
		}
	}
	return fmt.Errorf("%s here", s.Tok)
}

func (w *luaWriter) ifStatement(s *ast.IfStmt, in string) error {
	if s.Init != nil {
		w.line("do")
		if err := w.statement(s.Init, in); err != nil {
			return err
		}
		defer w.line("end")
	}
	x, err := w.expression(s.Cond)
	if err != nil {
		return err
	}
	w.line("if %s then", x)
	w.body(s.Body.List, in)
	switch e := s.Else.(type) {
	case nil:
	case *ast.BlockStmt:
		w.line("else")
		w.body(e.List, in)
	default:
		w.line("else")
		w.body([]ast.Stmt{e}, in)
	}
	w.line("end")
	return nil
}

func (w *luaWriter) switchStatement(s *ast.SwitchStmt, in string) error {
	w.line("do")
	if s.Init != nil {
		if err := w.statement(s.Init, in); err != nil {
			return err
		}
	}
	if s.Tag != nil {
		x, err := w.expression(s.Tag)
		if err != nil {
			return err
		}
		w.line("local tag_ = %s", x)
	}
	w.loops = append(slices.Clip(w.loops), "")
	defer func() { w.loops = w.loops[:len(w.loops)-1] }()
	keyword := "if"
	var byDefault *ast.CaseClause
	for _, c := range s.Body.List {
		clause := c.(*ast.CaseClause)
		if clause.List == nil {
			byDefault = clause
			continue
		}
		var any []string
		for _, e := range clause.List {
			x, err := w.expression(e)
			if err != nil {
				return err
			}
			if s.Tag != nil {
				x = "tag_ == " + x
			}
			any = append(any, x)
		}
		w.line("%s %s then", keyword, strings.Join(any, " or "))
		w.body(clause.Body, in)
		keyword = "elseif"
	}
	switch {
	case byDefault != nil && keyword == "if":
		w.body(byDefault.Body, in)
	case byDefault != nil:
		w.line("else")
		w.body(byDefault.Body, in)
		w.line("end")
	case keyword == "elseif":
		w.line("end")
	}
	w.line("end")
	return nil
}

// typeSwitch writes a switch over the types of pointers.
func (w *luaWriter) typeSwitch(s *ast.TypeSwitchStmt, in string) error {
	name := "_"
	var asserted ast.Expr
	switch a := s.Assign.(type) {
	case *ast.AssignStmt:
		name, asserted = word(a.Lhs[0].(*ast.Ident).Name), a.Rhs[0]
	case *ast.ExprStmt:
		asserted = a.X
	}
	x, err := w.expression(asserted.(*ast.TypeAssertExpr).X)
	if err != nil || s.Init != nil {
		return errors.New("a switch over types")
	}
	w.line("do")
	w.line("local %s = %s", name, x)
	w.line("local tag_ = %s.type", name)
	w.loops = append(slices.Clip(w.loops), "")
	defer func() { w.loops = w.loops[:len(w.loops)-1] }()
	var byDefault []ast.Stmt
	keyword := "if"
	for _, c := range s.Body.List {
		clause := c.(*ast.CaseClause)
		if clause.List == nil {
			byDefault = clause.Body
			continue
		}
		var any []string
		for _, e := range clause.List {
			p, ok := w.g.info.TypeOf(e).(*types.Pointer)
			if !ok || w.isStruct(p.Elem()) {
				return errors.New("a switch over types that are no pointers")
			}
			any = append(any, fmt.Sprintf("tag_ == %q", p))
		}
		w.line("%s %s then", keyword, strings.Join(any, " or "))
		w.body(clause.Body, in)
		keyword = "elseif"
	}
	if keyword == "if" {
		return errors.New("a switch without types")
	}
	w.line("else")
	w.body(byDefault, in)
	w.line("end")
	w.line("end")
	return nil
}

// loop writes the body of a loop.
func (w *luaWriter) loop(list []ast.Stmt, in string) {
	w.labels++
	label := fmt.Sprintf("next_%d", w.labels)
	w.loops = append(slices.Clip(w.loops), label)
	w.depth++
	w.line("step()")
	w.line("do")
	w.body(list, in)
	w.line("end")
	w.line("::%s::", label)
	w.depth--
	w.loops = w.loops[:len(w.loops)-1]
}

func (w *luaWriter) forStatement(s *ast.ForStmt, in string) error {
	w.line("do")
	if s.Init != nil {
		if err := w.statement(s.Init, in); err != nil {
			return err
		}
	}
	x := "true"
	if s.Cond != nil {
		var err error
		if x, err = w.expression(s.Cond); err != nil {
			return err
		}
	}
	w.line("while %s do", x)
	w.loop(s.Body.List, in)
	if s.Post != nil {
		if err := w.statement(s.Post, in); err != nil {
			return err
		}
	}
	w.line("end")
	w.line("end")
	return nil
}

func (w *luaWriter) rangeStatement(s *ast.RangeStmt, in string) error {
	x, err := w.expression(s.X)
	if err != nil {
		return err
	}
	t := w.g.info.TypeOf(s.X)
	key, value := "_", ""
	if id, ok := s.Key.(*ast.Ident); ok {
		key = word(id.Name)
	}
	if id, ok := s.Value.(*ast.Ident); ok && id.Name != "_" {
		value = word(id.Name)
	}
	if s.Tok == token.ASSIGN {
		return errors.New("a loop over a variable that exists")
	}
	if key == "_" {
		key = "key_"
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if u.Info()&types.IsInteger == 0 {
			return errors.New("a loop over a text")
		}
		w.line("for %s = 0, %s - 1 do", key, x)
	case *types.Slice, *types.Array:
		w.line("local list_ = %s", x)
		w.line("for %s = 0, go.len(list_) - 1 do", key)
		w.depth++
		if value != "" && isText(t) {
			w.line("local %s = go.byte(list_, %s)", value, key)
		} else if value != "" {
			w.line("local %s = list_[%s + 1]", value, key)
		}
		w.depth--
	case *types.Signature: // iter.Seq
		w.line("for %s in %s do", key, x)
	default:
		return fmt.Errorf("a loop over %s", t)
	}
	w.loop(s.Body.List, in)
	w.line("end")
	return nil
}
