package output

import (
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
	"github.com/expr-lang/expr/types"
	"github.com/expr-lang/expr/vm"
)

// A condition is the value of the flag -filter. It never fails, and its cost is bounded
// by its length and the size of an answer: it has no ranges and no nested loops, and
// cannot make long texts from short ones.
type condition struct {
	program *vm.Program
	full    Record   // has the type of each member
	names   []string // of the members in it
}

// Uses reports whether a condition depends on a member. There may be no condition.
func (c *condition) Uses(member string) bool { return c != nil && slices.Contains(c.names, member) }

// maxConditionNodes limits the number of names, values and operators in a condition.
// The limit is ours.
const maxConditionNodes = 1000

// The functions and operators of conditions.
var (
	conditionFunctions = [...]string{"all", "any", "none", "one", "count", "len", "lower", "upper"}
	conditionOperators = [...]string{"==", "!=", "<", "<=", ">", ">=", "and", "&&", "or", "||", "+", "-", "*", "/",
		"in", "contains", "startsWith", "endsWith", "matches"}
)

// newCondition compiles a condition. An error in it is a [*file.Error].
func newCondition(text string) (*condition, error) {
	full, err := FullRecord()
	if err != nil {
		return nil, err
	}
	var grammar conditionGrammar
	options := []expr.Option{
		expr.Env(typesOf(full)), expr.AsBool(), expr.MaxNodes(maxConditionNodes), expr.Patch(&grammar),
		expr.Optimize(false), // it replaces nodes, and ranges by lists
		expr.DisableAllBuiltins(),
	}
	for _, name := range conditionFunctions {
		options = append(options, expr.EnableBuiltin(name))
	}
	program, err := expr.Compile(text, options...)
	for _, node := range grammar.nils {
		grammar.refuse(node, "nil can only be compared with a member, by == or !=")
	}
	if err == nil && grammar.mixed != nil {
		grammar.refuse(grammar.mixed, "want values that are all numbers, texts, or true or false")
	}
	switch {
	case grammar.refused != nil:
		return nil, grammar.refused.Bind(file.NewSource(text))
	case err != nil:
		return nil, err
	}
	return &condition{program, full, grammar.names}, nil
}

// isMetBy reports whether a server with these members meets the condition.
func (c *condition) isMetBy(r Record) (bool, error) {
	met, err := expr.Run(c.program, environment(c.full, r))
	is, _ := met.(bool)
	return is, err
}

// isNil ends the names of additional members, which are true if another member is
// unknown. Users cannot write these names; [conditionGrammar] inserts them.
const isNil = " == nil"

// typesOf returns the types of the members of a record in conditions. All numbers are
// floats.
func typesOf(full Record) types.Map {
	all := types.Map{}
	for name, v := range full {
		all[name+isNil] = types.Bool
		switch v := v.(type) {
		case int, float64:
			all[name] = types.Float64
		case Record:
			all[name] = typesOf(v)
		case []Record:
			all[name] = types.Array(typesOf(v[0]))
		default:
			all[name] = types.TypeOf(v)
		}
	}
	return all
}

// environment returns a record as conditions see it, with every member of full. Unknown
// numbers are NaN, so that comparing them gives false. Other unknown members are empty
// or false.
func environment(full, r Record) map[string]any {
	env := make(map[string]any, 2*len(full))
	for name, kind := range full {
		v, ok := r[name]
		env[name+isNil] = !ok
		switch kind := kind.(type) {
		case int, float64:
			env[name] = asFloat(v)
		case string:
			text, _ := v.(string)
			env[name] = text
		case bool:
			is, _ := v.(bool)
			env[name] = is
		case Record:
			members, _ := v.(Record)
			env[name] = environment(kind, members)
		case []string:
			texts, _ := v.([]string)
			env[name] = texts
		case []Record:
			all, _ := v.([]Record)
			items := make([]map[string]any, len(all))
			for i := range all {
				items[i] = environment(kind[0], all[i])
			}
			env[name] = items
		}
	}
	return env
}

// asFloat returns a number, or NaN for any other value.
func asFloat(v any) float64 {
	switch v := v.(type) {
	case int:
		return float64(v)
	case float64:
		return v
	}
	return math.NaN()
}

// A conditionGrammar refuses parts of the expression language that a condition must not
// have, and replaces comparisons with nil.
type conditionGrammar struct {
	names   []string    // of members
	nils    []ast.Node  // nils that are not yet part of a comparison
	mixed   ast.Node    // a value of an unknown type, or of another type than the values beside it
	refused *file.Error // the first part that is refused
}

// Visit implements [ast.Visitor]. It is called for the parts of a node before the node.
func (g *conditionGrammar) Visit(node *ast.Node) {
	switch n := (*node).(type) {
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.StringNode,
		*ast.UnaryNode, *ast.PointerNode, *ast.BuiltinNode:
	case *ast.ArrayNode:
		g.alike(n.Nodes...)
	case *ast.ConditionalNode:
		g.alike(n.Exp1, n.Exp2)
	case *ast.NilNode:
		g.nils = append(g.nils, n)
	case *ast.IdentifierNode:
		g.names = append(g.names, n.Value)
		if n.Value == "$env" {
			g.refuse(*node, "unknown name $env")
		}
	case *ast.MemberNode:
		_, isName := n.Property.(*ast.StringNode)
		switch {
		case n.Optional:
			g.refuse(*node, "write . for ?.")
		case !isName:
			g.refuse(*node, "there are no indices: use any, all, none, one or count")
		}
	case *ast.PredicateNode:
		if ast.Find(n.Node, isLoop) != nil {
			g.refuse(*node, "any, all, none, one and count cannot be nested")
		}
	case *ast.BinaryNode:
		g.binary(node, n)
	case *ast.CallNode:
		g.refuse(*node, "the functions are "+strings.Join(conditionFunctions[:], ", "))
	default:
		g.refuse(*node, "this is not supported in a -filter")
	}
}

// alike checks that values have one type, or are all numbers. Otherwise the type of their
// node would only be known when it is evaluated.
func (g *conditionGrammar) alike(values ...ast.Node) {
	for _, v := range values {
		if kind := kindOf(v); kind == reflect.Invalid || kind != kindOf(values[0]) {
			g.mixed = v
		}
	}
}

// kindOf returns String, Bool, or Float64 for any number, and Invalid for other values.
func kindOf(node ast.Node) reflect.Kind {
	switch kind := node.Type().Kind(); kind {
	case reflect.Int:
		return reflect.Float64
	case reflect.String, reflect.Bool, reflect.Float64:
		return kind
	}
	return reflect.Invalid
}

func isLoop(node ast.Node) bool {
	_, ok := node.(*ast.PredicateNode)
	return ok
}

// binary checks an operator between two nodes.
func (g *conditionGrammar) binary(node *ast.Node, n *ast.BinaryNode) {
	_, isConstant := n.Right.(*ast.StringNode)
	switch {
	case n.Operator == "==" && g.compareNil(n):
		ast.Patch(node, unknown(n.Left))
	case n.Operator == "!=" && g.compareNil(n):
		ast.Patch(node, &ast.UnaryNode{Operator: "!", Node: unknown(n.Left)})
	case !slices.Contains(conditionOperators[:], n.Operator):
		g.refuse(*node, "there is no operator "+n.Operator)
	case n.Operator == "+" && kindOf(n.Left) == reflect.String:
		g.refuse(*node, "texts cannot be joined")
	case (n.Operator == "==" || n.Operator == "!=") && isList(n.Left) && isList(n.Right):
		g.refuse(*node, "lists cannot be compared")
	case n.Operator == "matches" && !isConstant:
		g.refuse(*node, "the pattern of matches must be a text in quotes")
	}
}

func isList(node ast.Node) bool { return node.Type().Kind() == reflect.Slice }

// compareNil reports whether a node compares a member with nil.
func (g *conditionGrammar) compareNil(n *ast.BinaryNode) bool {
	i := slices.Index(g.nils, n.Right)
	if i < 0 || unknown(n.Left) == nil {
		return false
	}
	g.nils = slices.Delete(g.nils, i, i+1)
	return true
}

// unknown returns a node that is true if a member is unknown, or nil for other nodes.
func unknown(node ast.Node) ast.Node {
	switch n := node.(type) {
	case *ast.IdentifierNode:
		return &ast.IdentifierNode{Value: n.Value + isNil}
	case *ast.MemberNode:
		if p, ok := n.Property.(*ast.StringNode); ok {
			return &ast.MemberNode{Node: n.Node, Property: &ast.StringNode{Value: p.Value + isNil}}
		}
	}
	return nil
}

func (g *conditionGrammar) refuse(node ast.Node, why string) {
	if g.refused == nil {
		g.refused = &file.Error{Location: node.Location(), Message: why}
	}
}
