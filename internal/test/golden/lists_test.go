package golden

import (
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// columns are the first line of the index.
const columns = "file\tmessage\tdirection\toutcome\tneeds\tshows\tsource\n"

// directions are the senders and receivers of messages. Lobbies and management servers are
// masters, and hosts are servers.
var directions = [...]string{
	"client to server", "server to client",
	"server to master", "master to server",
	"client to master", "master to client",
	"either",
}

// indexOf returns the list of the vectors of all packages below root, the
// directory of the module: a line of columns, and then a line for each vector
// in the order of their names.
func indexOf(root string) ([]byte, error) {
	text := []byte(columns)
	err := each(root, func(pkg string, files []File) error {
		for _, f := range files {
			line, err := f.entry(pkg)
			if err != nil {
				return fmt.Errorf("%s: %s: %w", pkg, f.Name, err)
			}
			text = append(text, line...)
		}
		return nil
	})
	return text, err
}

// each calls do with each package below root and its vectors.
func each(root string, do func(pkg string, files []File) error) error {
	pkgs, err := Packages(root)
	if err != nil {
		return err
	}
	for _, pkg := range pkgs {
		files, err := ReadDir(filepath.Join(root, filepath.FromSlash(pkg)))
		if err != nil {
			return err
		}
		if err := do(pkg, files); err != nil {
			return err
		}
	}
	return nil
}

// fieldColumns are the first line of the list of fields.
const fieldColumns = "message\tform\tversion\tfield\toffset\tsize\tpresence\texample\n"

// fieldsOf returns the list of the fields of all messages below root: a line of
// columns, and then a line for each row of a layout in each of its versions.
func fieldsOf(root string) ([]byte, error) {
	text := []byte(fieldColumns)
	number := func(numbers map[string]int, version string) string {
		if n, ok := numbers[version]; ok {
			return strconv.Itoa(n)
		}
		return ""
	}
	err := each(root, func(pkg string, files []File) error {
		for _, l := range Layouts(files) {
			for _, version := range l.Versions {
				for _, r := range l.Rows {
					if !r.In(version) {
						continue
					}
					presence := "always"
					if r.Optional {
						presence = "optional"
					}
					text = fmt.Appendf(text, "%s.%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", path.Base(pkg), l.Type, l.Form,
						version,
						r.Name, number(r.Offset, version), number(r.Size, version), presence, r.Example)
				}
			}
		}
		return nil
	})
	return text, err
}

// entry returns the line of f in the index.
func (f File) entry(pkg string) (string, error) {
	message := path.Base(pkg) + "." + f.Message()
	direction := f.Header["Direction"]
	if !slices.Contains(directions[:], direction) {
		return "", fmt.Errorf("%q is not a direction", direction)
	}
	name := path.Join(pkg, Dir, f.Name)
	fields := []string{name + ".hex", message, direction, f.outcome(), f.needs(), f.Header["Shows"], f.Header["Source"]}
	for _, text := range fields {
		if strings.Contains(text, "\t") {
			return "", fmt.Errorf("%q has a TAB", text)
		}
	}
	return strings.Join(fields, "\t") + "\n", nil
}

// outcome returns the result of decoding f: the kind of the error, or whether the
// value encodes to the same bytes.
func (f File) outcome() string {
	if failure := errorComment.FindStringSubmatch(f.Body); failure != nil {
		kind, _, _ := strings.Cut(failure[1], ": ")
		return kind
	}
	if f.Header["Encoding"] == "differs" {
		return "differs"
	}
	return "same"
}

// needs returns what a decoder needs besides the bytes.
func (f File) needs() string {
	var all []string
	for _, key := range slices.Sorted(maps.Keys(f.Header)) {
		if !slices.Contains([]string{"Message", "Direction", "Form", "Version", "Shows", "Source", "Encoding"}, key) {
			all = append(all, key+"="+f.Header[key])
		}
	}
	return strings.Join(all, " ")
}
