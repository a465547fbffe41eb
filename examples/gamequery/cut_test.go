package main

import (
	"slices"
	"testing"

	"github.com/lobbywire/lobbywire/examples/internal/capture"
	"github.com/lobbywire/lobbywire/examples/internal/capture/capturetest"
)

// For a datagram that the capture has cut, the output names its format, perhaps beside
// other possible formats.
func TestCutDatagramsKeepTheirFormat(t *testing.T) {
	const headers = 20 + 8
	for _, tt := range []struct {
		name string
		port uint16
		said []said
	}{
		{"sqp", 30000, []said{
			{false, "sqp/testdata/golden/challenge_request.hex"}, {true, "sqp/testdata/golden/challenge_response.hex"},
			{false, "sqp/testdata/golden/query_rules.hex"}, {true, "sqp/testdata/golden/answer_rules.hex"},
			{false, "sqp/testdata/golden/query_info.hex"}, {true, "sqp/testdata/golden/answer_info.hex"},
			{true, "sqp/testdata/golden/answer_two_packets_1.hex"},
		}},
		{"gamespy2", 30000, []said{
			{false, "gamespy2/testdata/golden/challenge_request.hex"}, {true, "gamespy2/testdata/golden/challenge_zero.hex"},
			{false, "gamespy2/testdata/golden/query_v3_challenge.hex"}, {true, "gamespy2/testdata/golden/tiny_v3.hex"},
		}},
		{"gamespy2 without a challenge", 30000, []said{
			{false, "gamespy2/testdata/golden/query_basic.hex"}, {true, "gamespy2/testdata/golden/values_basic.hex"},
			{false, "gamespy2/testdata/golden/query_v2_tables.hex"}, {true, "gamespy2/testdata/golden/v2_tables.hex"},
			{false, "gamespy2/testdata/golden/query_v3.hex"},
			{true, "gamespy2/testdata/golden/tiny_v3split_p1.hex"}, {true, "gamespy2/testdata/golden/tiny_v3split_p0.hex"},
		}},
		{"gameagent", 25601, []said{
			{false, "gameagent/testdata/golden/status_request.hex"}, {true, "gameagent/testdata/golden/status_dedicated.hex"},
			{false, "gameagent/testdata/golden/legacy_request_info.hex"}, {true, "gameagent/testdata/golden/legacy_info.hex"},
		}},
		{"a master of gameagent", 9005, []said{
			{false, "gameagent/testdata/golden/join.hex"}, {true, "gameagent/testdata/golden/challenge.hex"},
			{false, "gameagent/testdata/golden/list_request.hex"}, {true, "gameagent/testdata/golden/server_list_two.hex"},
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			packets := packetsOf(t, tt.port, false, tt.said...)
			whole := readingsOf(t, packets)
			for i, p := range packets {
				if !tt.said[i].back {
					continue
				}
				for kept := 1; kept < len(p)-headers; kept++ {
					// The packets before it are complete, because requests are short.
					all := append(packets[:i:i], p[:headers+kept])
					got, want := readingsOf(t, all)[i], whole[i]
					if !got.cut() || got.name != want.name && !slices.Contains(got.or, want.name) {
						t.Errorf("%s, cut to %d of %d bytes: %s or %v", want.name, kept, len(p)-headers, got.name, got.or)
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
	talks := recognize(file.Sent, "", defaultOptions())
	for _, s := range file.Sent {
		c := talks[endsOf(s)].speaks
		if c == nil {
			t.Fatalf("%v > %v is not recognized", s.From, s.To)
		}
		all = append(all, c.read(s))
	}
	return all
}
