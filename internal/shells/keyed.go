package main

import (
	"bytes"
	"fmt"
)

// writeKeyed writes the table of the keys of a message whose layout is text of
// keys and values, and the method that returns its fields in the same order:
//
//	MaxPlayers int    `wire:"maxPlayers,key=maxplayers"`
//	Level      string `wire:"level,key"` // the key is level
//
// The package decodes and appends them by these two. It declares key as a
// struct of the key and the name of the field.
func (m *message) writeKeyed(out *bytes.Buffer) {
	if len(m.keyed) == 0 {
		return
	}
	table := lower(m.name) + "Keys"
	fmt.Fprintf(out, "\n// %s are the keys of a [%s], in the order of the wire.\nvar %[1]s = [...]key{\n", table, m.name)
	for _, f := range m.keyed {
		fmt.Fprintf(out, "\t{%q, %q},\n", f.value, f.wire)
	}
	fmt.Fprintf(out, "}\n\n// fields returns pointers to the fields of %s.\nfunc (m *%s) fields() [%d]any {\n\treturn [...]any{", table, m.name, len(m.keyed))
	for i, f := range m.keyed {
		if i > 0 {
			out.WriteString(", ")
		}
		fmt.Fprintf(out, "&m.%s", f.name)
	}
	out.WriteString("}\n}\n")
}
