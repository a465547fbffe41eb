package hexfile

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseReadsHeaderAndBytes(t *testing.T) {
	header, data, err := Parse("# Message: Packet\n# Source: built: by hand\n# no header line\n\n" +
		"01 02ff # 0+1 a: b\n# Late: comment\n  0a\r\n")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string]string{"Message": "Packet", "Source": "built: by hand"}, header); diff != "" {
		t.Errorf("header (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]byte{1, 2, 0xff, 0xa}, data); diff != "" {
		t.Errorf("data (-want +got):\n%s", diff)
	}
}

func TestParseNamesTheLine(t *testing.T) {
	for _, text := range []string{"01\n0", "01\nzz"} {
		_, _, err := Parse(text)
		if err == nil || err.Error()[:len("line 2")] != "line 2" {
			t.Errorf("%q: error %v, want one about line 2", text, err)
		}
	}
}
