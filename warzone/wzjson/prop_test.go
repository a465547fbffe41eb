package wzjson_test

import (
	"bytes"
	"encoding/json"
	"net/netip"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lobbywire/lobbywire/internal/golden"
	"github.com/lobbywire/lobbywire/internal/laws"
	"github.com/lobbywire/lobbywire/warzone/wzjson"
)

// compare compares messages. The JSON form of a message shows members that are
// not known without white space, so they compare without.
var compare = cmp.Options{
	cmpopts.EquateComparable(netip.Addr{}),
	cmp.Comparer(func(a, b json.RawMessage) bool {
		return (a == nil) == (b == nil) && bytes.Equal(compact(a), compact(b))
	}),
}

func compact(text []byte) []byte {
	var out bytes.Buffer
	if err := json.Compact(&out, text); err != nil {
		return text
	}
	return out.Bytes()
}

var (
	adds       = laws.Codec[wzjson.Add]{Parse: wzjson.ParseAdd, Explain: wzjson.ExplainAdd, Compare: compare}
	addAcks    = laws.Codec[wzjson.AddAck]{Parse: wzjson.ParseAddAck, Explain: wzjson.ExplainAddAck, Compare: compare}
	updates    = laws.Codec[wzjson.Update]{Parse: wzjson.ParseUpdate, Explain: wzjson.ExplainUpdate, Compare: compare}
	lists      = laws.Codec[wzjson.List]{Parse: wzjson.ParseList, Explain: wzjson.ExplainList, Compare: compare}
	listAcks   = laws.Codec[wzjson.ListAck]{Parse: wzjson.ParseListAck, Explain: wzjson.ExplainListAck, Compare: compare}
	heartbeats = laws.Codec[wzjson.Heartbeat]{Parse: wzjson.ParseHeartbeat, Explain: wzjson.ExplainHeartbeat, Compare: compare}
	goodbyes   = laws.Codec[wzjson.Goodbye]{Parse: wzjson.ParseGoodbye, Explain: wzjson.ExplainGoodbye, Compare: compare}
	acks       = laws.Codec[wzjson.Ack]{Parse: wzjson.ParseAck, Explain: wzjson.ExplainAck, Compare: compare}
	failures   = laws.Codec[wzjson.Error]{Parse: wzjson.ParseError, Explain: wzjson.ExplainError, Compare: compare}
	unknowns   = laws.Codec[wzjson.Unknown]{Parse: wzjson.ParseUnknown, Explain: wzjson.ExplainUnknown, Compare: compare}
	messages   = laws.Codec[wzjson.Message]{Parse: wzjson.ParseMessage, Explain: wzjson.ExplainMessage, Compare: compare}
)

func TestGolden(t *testing.T) {
	laws.Golden(t, func(f golden.File) laws.Law {
		switch f.Message() {
		case "Add":
			return adds
		case "AddAck":
			return addAcks
		case "Update":
			return updates
		case "List":
			return lists
		case "ListAck":
			return listAcks
		case "Heartbeat":
			return heartbeats
		case "Goodbye":
			return goodbyes
		case "Ack":
			return acks
		case "Error":
			return failures
		case "Unknown":
			return unknowns
		}
		return nil
	})
}
