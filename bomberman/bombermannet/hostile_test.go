package bombermannet_test

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf16"

	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
	"github.com/lobbywire/lobbywire/internal/hexfile"
)

// goldens returns the golden files of the codec by name.
func goldens(t testing.TB) map[string][]byte {
	t.Helper()
	paths, err := filepath.Glob("../testdata/golden/*.hex")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no golden files: %v", err)
	}
	all := make(map[string][]byte)
	for _, p := range paths {
		text, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		_, data, err := hexfile.Parse(string(text))
		if err != nil {
			t.Fatalf("%s: %v", p, err)
		}
		all[strings.TrimSuffix(filepath.Base(p), ".hex")] = data
	}
	return all
}

// unitsFrame returns a frame whose length counts units of UTF-16, as Java programs do.
func unitsFrame(object string) string {
	return fmt.Sprintf("%d%s\n", len(utf16.Encode([]rune(object)))+1, object)
}

// An invalid frame ends its connection at once, and no other connection.
func TestInvalidFrameEndsItsConnectionOnly(t *testing.T) {
	for _, sent := range []string{
		"GET / HTTP/1.1\r\n\r\n", "\x16\x03\x01\x02\x00\x01\x00\x01", "{}\n", `{"command":"msQueryGameServers"}` + "\n",
		"-17{}\n", "+17{}\n", "0{}\n", "1\n", "2{\n", "4294967296{", "4294967295{", "99999", strings.Repeat("0", 11),
		strings.Repeat("9", 4096),
		"65538{", "33" + query + "xx", "\xff\xff\xff\xff", "\x00",
	} {
		var m bombermannet.ManagementServer
		run(t, &m, func(t *testing.T, dial func() *line) {
			server, bad := dial(), dial()
			server.send(register("A", 1), update(1, 4, true, 1))
			server.list()
			bad.send(register("B", 1), update(1, 4, true, 1))
			bad.list()
			bad.raw(sent)
			synctest.Wait()
			if got := m.Stats().Open; got != 1 {
				t.Errorf("%.20q: %d connections left", sent, got)
			}
			bad.expectEnd()
			server.expectList(listed("A", 1, 1, 4, true, 1))
		})
	}
}

// The longest message is accepted. The bound on memory for long messages does not
// affect short ones.
func TestLongMessagesAreAccepted(t *testing.T) {
	long := `{"command":"msQueryGameServers","content":{"x":"` + strings.Repeat("x", 1<<16-52) + `"}}`
	if len(long) != 1<<16-1 {
		t.Fatalf("%d bytes", len(long))
	}
	var m bombermannet.ManagementServer
	m.Limits.MaxBuffered = 3 << 16
	m.Limits.MaxPerAddress = 100
	run(t, &m, func(t *testing.T, dial func() *line) {
		client := dial()
		client.send(long)
		client.answer()
		client.expectList()

		for range 50 {
			go dial().Write([]byte(frame(long)[:1<<16-10]))
		}
		synctest.Wait()
		if s := m.Stats(); s.TooLong < 46 || s.Open+int(s.TooLong) != 51 {
			t.Errorf("got %+v", s)
		}
		client.expectList()
	})
}

// The queries of a connection are answered at a limited rate, and its other messages are
// handled at another.
func TestMessagesArePaced(t *testing.T) {
	for _, tt := range []struct {
		message string
		after   uint64 // ten seconds
	}{{query, 16 + 50}, {register("A", 1), 64 + 500}} {
		var m bombermannet.ManagementServer
		run(t, &m, func(t *testing.T, dial func() *line) {
			busy := dial()
			go io.Copy(io.Discard, busy)
			go func() {
				for i := 0; ; i++ {
					message := tt.message
					if message != query {
						message = register(fmt.Sprint(i), 1)
					}
					if _, err := io.WriteString(busy, frame(message)); err != nil {
						return
					}
				}
			}()
			time.Sleep(10 * time.Second)
			synctest.Wait()
			if s := m.Stats(); s.Answered+s.Registered != tt.after {
				t.Errorf("%+v, want %d", s, tt.after)
			}
			before := time.Now()
			dial().list()
			if d := time.Since(before); d > 0 {
				t.Errorf("another connection waits for %v", d)
			}
			busy.Close()
		})
	}
}

// Programs in Java send lengths in units of UTF-16, and some send messages that the
// specification does not have.
func TestJavaIsTolerated(t *testing.T) {
	for _, name := range []string{"Bösewicht", "轰炸机人", "😀 x", "plain"} {
		var m bombermannet.ManagementServer
		run(t, &m, func(t *testing.T, dial func() *line) {
			server := dial()
			for name, b := range goldens(t) {
				if strings.HasPrefix(name, "java_") {
					server.raw(string(b))
				}
			}
			server.raw(unitsFrame(register(name, 1)) + unitsFrame(update(1, 4, true, 1)))
			server.raw(unitsFrame(`{"command":"xxheartbeat","content":""}`))
			server.raw(unitsFrame(`{"command":"msQueryGameServers","content":"ö"}`))
			if got := server.answer(); len(got) != 1 || got[0].Name != name {
				t.Errorf("got %v", got)
			}
		})
	}
}
