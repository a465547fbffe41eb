package traffic

import (
	"slices"
	"testing"

	"github.com/lobbywire/lobbywire/examples/internal/capture"
	"github.com/lobbywire/lobbywire/examples/internal/capture/capturetest"
	"github.com/lobbywire/lobbywire/examples/internal/formats"
	"github.com/lobbywire/lobbywire/examples/internal/traffictest"
)

// For a datagram that the capture has cut, the output names its format, perhaps beside
// other possible formats.
func TestCutDatagramsKeepTheirFormat(t *testing.T) {
	const headers = 20 + 8
	request, answer := traffictest.Request, traffictest.Answer
	for _, tt := range []struct {
		name string
		port uint16
		said []traffictest.Message
	}{
		{"sqp", 30000, []traffictest.Message{
			request("sqp/testdata/golden/challenge_request.hex"), answer("sqp/testdata/golden/challenge_response.hex"),
			request("sqp/testdata/golden/query_rules.hex"), answer("sqp/testdata/golden/answer_rules.hex"),
			request("sqp/testdata/golden/query_info.hex"), answer("sqp/testdata/golden/answer_info.hex"),
			answer("sqp/testdata/golden/answer_two_packets_1.hex"),
		}},
		{"gamespy2", 30000, []traffictest.Message{
			request("gamespy2/testdata/golden/challenge_request.hex"), answer("gamespy2/testdata/golden/challenge_zero.hex"),
			request("gamespy2/testdata/golden/query_v3_challenge.hex"), answer("gamespy2/testdata/golden/tiny_v3.hex"),
		}},
		{"gamespy2 without a challenge", 30000, []traffictest.Message{
			request("gamespy2/testdata/golden/query_basic.hex"), answer("gamespy2/testdata/golden/values_basic.hex"),
			request("gamespy2/testdata/golden/query_v2_tables.hex"), answer("gamespy2/testdata/golden/v2_tables.hex"),
			request("gamespy2/testdata/golden/query_v3.hex"),
			answer("gamespy2/testdata/golden/tiny_v3split_p1.hex"), answer("gamespy2/testdata/golden/tiny_v3split_p0.hex"),
		}},
		{"gameagent", 25601, []traffictest.Message{
			request("gameagent/testdata/golden/status_request.hex"), answer("gameagent/testdata/golden/status_dedicated.hex"),
			request("gameagent/gamespy1/testdata/golden/request_info.hex"),
			answer("gameagent/gamespy1/testdata/golden/info.hex"),
		}},
		{"a master of gameagent", 9005, []traffictest.Message{
			request("gameagent/testdata/golden/join.hex"), answer("gameagent/testdata/golden/challenge.hex"),
			request("gameagent/testdata/golden/list_request.hex"), answer("gameagent/testdata/golden/server_list_two.hex"),
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			packets := traffictest.Packets(t, tt.port, false, tt.said...)
			whole := readingsOf(t, packets)
			for i, p := range packets {
				if !tt.said[i].Back {
					continue
				}
				for kept := 1; kept < len(p)-headers; kept++ {
					// The packets before it are complete, because requests are short.
					all := append(packets[:i:i], p[:headers+kept])
					got, want := readingsOf(t, all)[i], whole[i]
					if !got.cut() || got.Name != want.Name && !slices.Contains(got.or, want.Name) {
						t.Errorf("%s, cut to %d of %d bytes: %s or %v", want.Name, kept, len(p)-headers, got.Name, got.or)
					}
				}
			}
		})
	}
}

// readingsOf returns the readings of packets. A packet that is shorter than its headers
// say was cut.
func readingsOf(t *testing.T, packets [][]byte) (all []reading) {
	t.Helper()
	file, err := capture.Read(capturetest.PCAP(capturetest.LinkRaw, 0, packets...))
	if err != nil {
		t.Fatal(err)
	}
	conversations := Recognize(file.Sent, "", formats.DefaultOptions())
	for _, s := range file.Sent {
		c := conversations[EndsOf(s)].Session
		if c == nil {
			t.Fatalf("%v > %v is not recognized", s.From, s.To)
		}
		all = append(all, c.Read(s))
	}
	return all
}
