package site_test

import (
	"bytes"
	"testing"

	"github.com/lobbywire/lobbywire/examples/decoder/internal/site"
	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// The codecs stay small: a new dependency can double their size.
func TestCodecsStaySmall(t *testing.T) {
	suite.Long(t, "the go command, to build the codecs")
	const most = 2_450_000
	built, err := files()
	if err != nil {
		t.Fatal(err)
	}
	if n := len(built["codecs.wasm.gz"]); n > most {
		t.Errorf("the codecs have %d bytes, more than %d", n, most)
	}
}

// The files do not depend on the flags that the user has set for all builds.
func TestBuildIgnoresGOFLAGS(t *testing.T) {
	suite.Long(t, "the go command, to build the codecs")
	want, err := files()
	if err != nil {
		t.Fatal(err)
	}
	for _, flags := range []string{"-race", "-modcacherw -trimpath", "-gcflags=-N -ldflags=-w"} {
		t.Setenv("GOFLAGS", flags)
		got, err := site.Build(t.Context())
		if err != nil {
			t.Errorf("%s: %v", flags, err)
		}
		for name := range want {
			if !bytes.Equal(got[name], want[name]) {
				t.Errorf("%s: %s has %d bytes, want %d that are the same", flags, name, len(got[name]), len(want[name]))
			}
		}
	}
}
