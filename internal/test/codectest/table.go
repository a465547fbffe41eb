package codectest

import (
	"errors"
	"testing"

	"github.com/lobbywire/lobbywire"
)

// A Case is an input and the value or the error of parsing it.
type Case[T Message] struct {
	Name   string
	In     string
	Want   T
	Err    error  // the kind of failure; nil if In is valid
	Field  string // with Err
	Offset int    // with Err

	// Strict is the kind of failure of the codec's Strict; nil if Strict returns the
	// same as Parse.
	Strict error

	// Differs means that Want is appended as other bytes than In, or as Out unless that
	// is empty. Refused means that Want cannot be appended.
	Differs bool
	Out     string
	Refused bool
}

// Table tests parsing and, for valid rows, appending.
func (c Codec[T]) Table(t *testing.T, cases []Case[T]) {
	for _, tt := range cases {
		t.Run(tt.Name, func(t *testing.T) {
			if c.Strict != nil {
				_, err := c.Strict([]byte(tt.In))
				switch {
				case tt.Strict == nil && tt.Err != nil:
					wantError(t, err, tt.Err, tt.Field, tt.Offset)
				case !errors.Is(err, tt.Strict):
					t.Errorf("strict: %v, want %v", err, tt.Strict)
				}
			}
			got, err := c.Parse([]byte(tt.In))
			if tt.Err != nil {
				wantError(t, err, tt.Err, tt.Field, tt.Offset)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			same(t, "parsed (-want +got)", tt.Want, got, c.Compare)
			encoded, err := c.sendable(tt.Want).AppendBinary(nil)
			switch {
			case tt.Refused && err == nil:
				t.Errorf("appended as %q, want an error", encoded)
			case tt.Refused:
			case err != nil:
				t.Fatal(err)
			case tt.Out != "" && string(encoded) != tt.Out, tt.Out == "" && (string(encoded) == tt.In) == tt.Differs:
				t.Errorf("appended:\n in %q\nout %q", tt.In, encoded)
			}
		})
	}
}

// A Refusal is a value that cannot be encoded.
type Refusal struct {
	Name  string
	Value Message
	Err   error
	Field string
}

// Refusals tests that encoding values fails.
func Refusals(t *testing.T, cases []Refusal) {
	for _, tt := range cases {
		t.Run(tt.Name, func(t *testing.T) {
			_, err := tt.Value.AppendBinary(nil)
			wantError(t, err, tt.Err, tt.Field, -1)
			if Append(t, tt.Value) != nil {
				t.Error("AppendBinary does not always refuse it")
			}
		})
	}
}

func wantError(t *testing.T, err, kind error, field string, offset int) {
	t.Helper()
	var e *lobbywire.Error
	if !errors.As(err, &e) {
		t.Fatalf("error %v, want %v in %s at %d", err, kind, field, offset)
	}
	if !errors.Is(e, kind) || e.Field != field || e.Offset != offset {
		t.Errorf("error %v, want %v in %q at %d", err, kind, field, offset)
	}
}
