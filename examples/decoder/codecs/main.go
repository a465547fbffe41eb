//go:build js

// Codecs is the part of the page that decodes, for WebAssembly. It gives its worker an object:
//
//	lobbywire.formats                                           // all messages
//	lobbywire.max                                               // bytes that it reads
//	lobbywire.read([{name, data: Uint8Array}], message, form, progress)
//	lobbywire.explain(index)
//
// Read returns the messages of files, and explain the fields of one of them, as plain objects.
// Their member error is the text of an error. While it works, read calls progress with a part of
// 1. The worker's function ready is called when these can be used.
package main

import (
	"strings"
	"syscall/js"
	"time"

	"github.com/lobbywire/lobbywire/examples/decoder/internal/document"
	"github.com/lobbywire/lobbywire/examples/internal/formats"
	"github.com/lobbywire/lobbywire/examples/internal/input"
)

func main() {
	var now document.Document
	js.Global().Set("lobbywire", map[string]any{
		"formats": listFormats(),
		"max":     input.Max,
		"read": js.FuncOf(func(_ js.Value, args []js.Value) any {
			d, err := document.Read(filesOf(args[0]), args[1].String(), args[2].String(), progress(args[3]))
			now = d
			return describe(d, err)
		}),
		"explain": js.FuncOf(func(_ js.Value, args []js.Value) any {
			if i := args[0].Int(); i >= 0 && i < len(now.Messages) {
				return explain(now.Messages[i])
			}
			return nil
		}),
	})
	js.Global().Call("ready")
	select {}
}

// progress returns a function that calls f at most ten times a second.
func progress(f js.Value) func(done, all int) {
	last := time.Now()
	return func(done, all int) {
		if now := time.Now(); now.Sub(last) > time.Second/10 {
			last = now
			f.Invoke(float64(done) / float64(all))
		}
	}
}

func listFormats() []any {
	var all []any
	for _, f := range formats.All() {
		all = append(all, map[string]any{"name": f.Name, "doc": f.Doc})
	}
	return all
}

func filesOf(list js.Value) []document.File {
	files := make([]document.File, list.Length())
	for i := range files {
		data := list.Index(i).Get("data")
		files[i] = document.File{Name: list.Index(i).Get("name").String(), Data: make([]byte, data.Length())}
		js.CopyBytesToGo(files[i].Data, data)
	}
	return files
}

func describe(d document.Document, err error) map[string]any {
	var messages []any
	for _, m := range d.Messages {
		messages = append(messages, map[string]any{"title": m.Title, "format": m.Format})
	}
	text := ""
	if err != nil {
		text = err.Error()
	}
	return map[string]any{"form": d.Form, "messages": messages, "left": texts(d.Left), "error": text}
}

func texts(all []string) []any {
	list := make([]any, len(all))
	for i, s := range all {
		list[i] = s
	}
	return list
}

func explain(m document.Message) map[string]any {
	shown := m.Data[:min(len(m.Data), document.MaxBytes)]
	var sections []any
	for _, s := range m.Sections() {
		var fields []any
		for _, f := range s.Fields {
			if f.Offset <= len(shown) {
				fields = append(fields, []any{f.Offset, f.Length, f.Name, short(f.Value)})
			}
		}
		text := ""
		if s.Err != nil {
			text = s.Err.Error()
		}
		sections = append(sections, map[string]any{"name": s.Name, "fields": fields, "error": text})
	}
	data := js.Global().Get("Uint8Array").New(len(shown))
	js.CopyBytesToJS(data, shown)
	return map[string]any{"format": m.Format, "or": texts(m.Or), "notes": texts(m.Notes), "header": m.Header(),
		"data": data, "size": len(m.Data), "sections": sections}
}

// short returns the start of a value.
func short(value string) string {
	if len(value) <= document.MaxBytes {
		return value
	}
	return strings.ToValidUTF8(value[:document.MaxBytes], "") + " …"
}
