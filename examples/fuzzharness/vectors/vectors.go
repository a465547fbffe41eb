// Package vectors gives tests the golden files of lobbywire: the bytes of messages and their
// values. It reads the source code of the library, so it fails in a test that is built with
// -trimpath or from a folder named vendor.
package vectors

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/messagejson"
	"github.com/lobbywire/lobbywire/internal/test/golden"
)

// A Vector is a golden file.
type Vector struct {
	Name      string            // package and file, such as "sqp/query_info"
	Message   string            // type of the message, such as "QueryRequest"
	Direction string            // sender and receiver, such as "client to server"
	Header    map[string]string // these and the other lines before the bytes, such as "Shows"
	Bytes     []byte
	JSON      []byte // the value or, if the bytes are not valid, the error
}

// Of returns the vectors of a codec package such as "sqp" or "gamespy2/qr2" that have one of the
// directions, or all if there are none.
func Of(pkg string, directions ...string) ([]Vector, error) {
	dir := filepath.Join(golden.Root(), filepath.FromSlash(pkg))
	files, err := golden.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var all []Vector
	for _, f := range files {
		v := Vector{pkg + "/" + f.Name, f.Message(), f.Header["Direction"], f.Header, f.Data, nil}
		if len(directions) > 0 && !slices.Contains(directions, v.Direction) {
			continue
		}
		v.JSON, err = os.ReadFile(filepath.Join(dir, golden.Dir, f.Name+".json"))
		if err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	return all, nil
}

// Check returns an error unless the results of parsing Bytes match the vector, as in
//
//	err := v.Check(sqp.ParseQueryRequest(v.Bytes))
//
// A parser of your own may return another type that has the fields of JSON in their order, such as
// struct{ Token uint32; Version uint16; Chunks uint8 }, and any error if the bytes are not valid.
func (v Vector) Check(message any, err error) error {
	var failure *lobbywire.Error
	switch {
	case errors.As(err, &failure):
		message = golden.ErrorOf(failure)
	case err != nil && v.isInvalid():
		return nil
	case err != nil:
		return fmt.Errorf("%s: %w", v.Name, err)
	case strings.HasPrefix(v.Name, "bomberman/"):
		message = struct{ Message any }{message} // the vectors are frames
	}
	got, err := messagejson.Marshal(message)
	var want bytes.Buffer
	if err := errors.Join(err, json.Compact(&want, v.JSON)); err != nil {
		return fmt.Errorf("%s: %w", v.Name, err)
	}
	if !bytes.Equal(got, want.Bytes()) {
		return fmt.Errorf("%s: parsed as %s, want %s", v.Name, got, want.Bytes())
	}
	return nil
}

// isInvalid reports whether JSON is the error of a decoder.
func (v Vector) isInvalid() bool {
	var e golden.Error
	d := json.NewDecoder(bytes.NewReader(v.JSON))
	d.DisallowUnknownFields()
	return d.Decode(&e) == nil && e.Error != ""
}
