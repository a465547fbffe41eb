package output

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/template"
	"text/template/parse"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/terminal"
)

// A lineTemplate is the value of the flag -template. It prints a line for each server.
type lineTemplate struct {
	*template.Template
	full Record
}

// showName is the name of the function show in templates.
const showName = "_show"

// newLineTemplate parses a template. It fails unless the template works for a server with
// all members and for a server without any.
func newLineTemplate(text string) (*lineTemplate, error) {
	full, err := FullRecord()
	if err != nil {
		return nil, err
	}
	delete(full, "error") // only servers that answer are printed
	t, err := template.New("-template").Option("missingkey=error").Funcs(template.FuncMap{showName: show}).Parse(text)
	if err != nil {
		return nil, err
	}
	for _, named := range t.Templates() {
		showAll(named.Tree, named.Root)
	}
	l := &lineTemplate{t, full}
	if err := l.write(io.Discard, full); err != nil {
		return nil, err
	}
	if err := l.write(io.Discard, Record{}); err != nil {
		return nil, fmt.Errorf("%w (for a server whose answer is empty)", err)
	}
	return l, nil
}

// write prints a server.
func (l *lineTemplate) write(w io.Writer, r Record) error {
	var b strings.Builder
	if err := l.Execute(&b, withUnknown(l.full, r)); err != nil {
		return err
	}
	_, err := io.WriteString(w, b.String()+"\n")
	return err
}

// withUnknown returns a record with every member of full. Unknown members are nil.
func withUnknown(full, r Record) Record {
	all := make(Record, len(full))
	for name, kind := range full {
		all[name] = r[name]
		if list, ok := r[name].([]Record); ok {
			items := make([]Record, len(list))
			for i := range list {
				items[i] = withUnknown(kind.([]Record)[0], list[i])
			}
			all[name] = items
		}
	}
	return all
}

// show returns the printed form of a value. Text from the network must not control the
// terminal.
func show(v any) string {
	switch v := v.(type) {
	case nil:
		return unknownCell
	case string:
		return terminal.Clean(v)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return terminal.Clean(fmt.Sprint(v))
}

// showAll makes each action below a node print its value with show.
func showAll(tree *parse.Tree, node parse.Node) {
	branch := func(n *parse.BranchNode) {
		showAll(tree, n.List)
		if n.ElseList != nil {
			showAll(tree, n.ElseList)
		}
	}
	switch n := node.(type) {
	case *parse.ListNode:
		for _, child := range n.Nodes {
			showAll(tree, child)
		}
	case *parse.IfNode:
		branch(&n.BranchNode)
	case *parse.RangeNode:
		branch(&n.BranchNode)
	case *parse.WithNode:
		branch(&n.BranchNode)
	case *parse.ActionNode:
		if len(n.Pipe.Decl) > 0 || isConstant(n.Pipe) {
			return // it prints nothing, or a text of the user
		}
		n.Pipe.Cmds = append(n.Pipe.Cmds, &parse.CommandNode{
			NodeType: parse.NodeCommand,
			Pos:      n.Pos,
			Args:     []parse.Node{parse.NewIdentifier(showName).SetTree(tree).SetPos(n.Pos)},
		})
	}
}

// isConstant reports whether a pipeline is a text in quotes, such as "\t".
func isConstant(pipe *parse.PipeNode) bool {
	if len(pipe.Cmds) != 1 || len(pipe.Cmds[0].Args) != 1 {
		return false
	}
	_, ok := pipe.Cmds[0].Args[0].(*parse.StringNode)
	return ok
}
