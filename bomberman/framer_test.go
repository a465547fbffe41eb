package bomberman_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire/bomberman"
)

// However a stream is cut, a Framer reads each byte at most twice.
func TestFramerReadsOnce(t *testing.T) {
	long := strings.Repeat("é", 30_000)
	bytes := fmt.Sprintf("%d{%s}\n", len(long)+3, long)
	units := fmt.Sprintf("%d{%s}\n", len(long)/2+3, long)
	for _, size := range []int{1, 2, 3, 8, 1000, 1 << 20} {
		f := framing(bomberman.Options{})
		f.ReadsOnce(t, []byte(bytes+"3{}\n 0000000003{}\r\n"+bytes), size, 0)
		f.ReadsOnce(t, []byte(units+units), size, len(long)/2+8)
	}
}

// A Framer refuses a stream soon after the byte that makes it invalid, and then starts
// again.
func TestFramerRefuses(t *testing.T) {
	for _, sent := range []string{"65538{", "32003{" + strings.Repeat("é", 32_768) + "xxx", "4{}x" +
		strings.Repeat("y", 100)} {
		var f bomberman.Framer
		refused := false
		for n := 0; n <= len(sent) && !refused; n++ {
			_, rest, err := f.Next([]byte(sent[:n]))
			if err == nil || len(rest) != n {
				t.Errorf("%.9q: %d bytes are a frame", sent, n)
			}
			refused = err.Error() != "lobbywire: truncated" && strings.HasPrefix(err.Error(), "bomberman: ")
		}
		if !refused {
			t.Errorf("%.9q is not refused", sent)
		}
		if payload, _, err := f.Next([]byte("3{}\n")); string(payload) != "{}" || err != nil {
			t.Errorf("after an error: %q, %v", payload, err)
		}
	}
}
