package gameagent_test

import (
	"net/netip"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/internal/golden"
	"github.com/lobbywire/lobbywire/internal/laws"
)

// compare compares messages. Status.Cut tells of the packet, which an encoder
// may well make shorter or longer.
var compare = cmp.Options{
	cmpopts.EquateComparable(netip.AddrPort{}),
	cmpopts.IgnoreFields(gameagent.Status{}, "Cut"),
}

var (
	joins             = laws.Codec[gameagent.Join]{Parse: gameagent.ParseJoin, Explain: gameagent.ExplainJoin}
	challenges        = laws.Codec[gameagent.Challenge]{Parse: gameagent.ParseChallenge, Explain: gameagent.ExplainChallenge}
	heartbeats        = laws.Codec[gameagent.Heartbeat]{Parse: gameagent.ParseHeartbeat, Explain: gameagent.ExplainHeartbeat}
	stateChanges      = laws.Codec[gameagent.StateChanged]{Parse: gameagent.ParseStateChanged, Explain: gameagent.ExplainStateChanged}
	listRequests      = laws.Codec[gameagent.ListRequest]{Parse: gameagent.ParseListRequest, Explain: gameagent.ExplainListRequest}
	serverLists       = laws.Codec[gameagent.ServerList]{Parse: gameagent.ParseServerList, Explain: gameagent.ExplainServerList, Compare: compare}
	statusRequests    = laws.Codec[gameagent.StatusRequest]{Parse: gameagent.ParseStatusRequest, Explain: gameagent.ExplainStatusRequest}
	statuses          = laws.Codec[gameagent.Status]{Parse: gameagent.ParseStatus, Explain: gameagent.ExplainStatus, Compare: compare}
	playersRequests   = laws.Codec[gameagent.PlayersRequest]{Parse: gameagent.ParsePlayersRequest, Explain: gameagent.ExplainPlayersRequest}
	playersAnswers    = laws.Codec[gameagent.Players]{Parse: gameagent.ParsePlayers, Explain: gameagent.ExplainPlayers}
	playersPackets    = laws.Codec[gameagent.PlayersPacket]{Parse: gameagent.ParsePlayersPacket, Explain: gameagent.ExplainPlayersPacket}
	pingRequests      = laws.Codec[gameagent.PingRequest]{Parse: gameagent.ParsePingRequest, Explain: gameagent.ExplainPingRequest}
	pings             = laws.Codec[gameagent.Ping]{Parse: gameagent.ParsePing, Explain: gameagent.ExplainPing}
	legacyRequests    = laws.Codec[gameagent.LegacyRequest]{Parse: gameagent.ParseLegacyRequest, Explain: gameagent.ExplainLegacyRequest}
	legacyStatuses    = laws.Codec[gameagent.LegacyStatus]{Parse: gameagent.ParseLegacyStatus, Explain: gameagent.ExplainLegacyStatus}
	legacyInfos       = laws.Codec[gameagent.LegacyInfo]{Parse: gameagent.ParseLegacyInfo, Explain: gameagent.ExplainLegacyInfo}
	legacyBasics      = laws.Codec[gameagent.LegacyBasic]{Parse: gameagent.ParseLegacyBasic, Explain: gameagent.ExplainLegacyBasic}
	legacyPlayerLists = laws.Codec[gameagent.LegacyPlayers]{Parse: gameagent.ParseLegacyPlayers, Explain: gameagent.ExplainLegacyPlayers}
	legacyHeartbeats  = laws.Codec[gameagent.LegacyHeartbeat]{Parse: gameagent.ParseLegacyHeartbeat, Explain: gameagent.ExplainLegacyHeartbeat}
	legacyGreetings   = laws.Codec[gameagent.LegacyGreeting]{Parse: gameagent.ParseLegacyGreeting, Explain: gameagent.ExplainLegacyGreeting}
	legacyListAsks    = laws.Codec[gameagent.LegacyListRequest]{Parse: gameagent.ParseLegacyListRequest, Explain: gameagent.ExplainLegacyListRequest}
	legacyServerLists = laws.Codec[gameagent.LegacyServerList]{Parse: gameagent.ParseLegacyServerList, Explain: gameagent.ExplainLegacyServerList, Compare: compare}
	toMaster          = laws.Codec[gameagent.ToMaster]{Parse: gameagent.ParseToMaster, Explain: gameagent.ExplainToMaster, Compare: compare}
	toServer          = laws.Codec[gameagent.ToServer]{Parse: gameagent.ParseToServer, Explain: gameagent.ExplainToServer, Compare: compare}
	fromServer        = laws.Codec[gameagent.FromServer]{Parse: gameagent.ParseFromServer, Explain: gameagent.ExplainFromServer, Compare: compare}
)

// unknowns are datagrams to a master that no parser but the dispatcher takes.
var unknowns = laws.Codec[gameagent.Unknown]{
	Parse: func(b []byte) (gameagent.Unknown, error) {
		m, err := gameagent.ParseToMaster(b)
		u, _ := m.(gameagent.Unknown)
		return u, err
	},
	Explain:   gameagent.ExplainToMaster,
	Canonical: true,
}

func TestGolden(t *testing.T) {
	laws.Golden(t, func(f golden.File) laws.Law {
		switch f.Message() {
		case "Join":
			return joins
		case "Challenge":
			return challenges
		case "Heartbeat":
			return heartbeats
		case "StateChanged":
			return stateChanges
		case "ListRequest":
			return listRequests
		case "ServerList":
			return serverLists
		case "StatusRequest":
			return statusRequests
		case "Status":
			return statuses
		case "PlayersRequest":
			return playersRequests
		case "Players":
			return playersAnswers
		case "PlayersPacket":
			return playersPackets
		case "PingRequest":
			return pingRequests
		case "Ping":
			return pings
		case "LegacyRequest":
			return legacyRequests
		case "LegacyStatus":
			return legacyStatuses
		case "LegacyInfo":
			return legacyInfos
		case "LegacyBasic":
			return legacyBasics
		case "LegacyPlayers":
			return legacyPlayerLists
		case "LegacyHeartbeat":
			return legacyHeartbeats
		case "LegacyGreeting":
			return legacyGreetings
		case "LegacyListRequest":
			return legacyListAsks
		case "LegacyServerList":
			return legacyServerLists
		case "Unknown":
			return unknowns
		case "ToMaster":
			return toMaster
		}
		return nil
	})
}

// checkStrict judges that what is parsed strictly is parsed tolerantly to the
// same value, and that the strict parser keeps the law of truncation.
func checkStrict[T any](t testing.TB, b []byte, name string, strict, tolerant func(b []byte) (T, error)) {
	t.Helper()
	v, err := strict(b)
	w, tolerantErr := tolerant(b)
	if err == nil {
		if tolerantErr != nil {
			t.Fatalf("%s %x: strict takes it, tolerant fails: %v", name, b, tolerantErr)
		}
		if diff := cmp.Diff(w, v, compare); diff != "" {
			t.Fatalf("%s %x (-tolerant +strict):\n%s", name, b, diff)
		}
	}
	if len(b) == 0 || err != nil && kindOf(err) != lobbywire.ErrTruncated {
		return
	}
	if _, before := strict(b[:len(b)-1]); before != nil && kindOf(before) != lobbywire.ErrTruncated {
		t.Fatalf("%s %x can be or become valid strictly, but without its last byte: %v", name, b, before)
	}
}

// kindOf returns the kind of an error.
func kindOf(err error) error { return err.(*lobbywire.Error).Err }

// checkAllStrict judges b by every strict parser.
func checkAllStrict(t testing.TB, b []byte) {
	t.Helper()
	o := gameagent.Options{Strict: true}
	checkStrict(t, b, "Join", o.ParseJoin, gameagent.ParseJoin)
	checkStrict(t, b, "Challenge", o.ParseChallenge, gameagent.ParseChallenge)
	checkStrict(t, b, "Heartbeat", o.ParseHeartbeat, gameagent.ParseHeartbeat)
	checkStrict(t, b, "ServerList", o.ParseServerList, gameagent.ParseServerList)
	checkStrict(t, b, "Status", o.ParseStatus, gameagent.ParseStatus)
	checkStrict(t, b, "Players", o.ParsePlayers, gameagent.ParsePlayers)
	checkStrict(t, b, "PlayersPacket", o.ParsePlayersPacket, gameagent.ParsePlayersPacket)
	checkStrict(t, b, "LegacyRequest", o.ParseLegacyRequest, gameagent.ParseLegacyRequest)
	checkStrict(t, b, "LegacyGreeting", o.ParseLegacyGreeting, gameagent.ParseLegacyGreeting)
	checkStrict(t, b, "LegacyServerList", o.ParseLegacyServerList, gameagent.ParseLegacyServerList)
	checkStrict(t, b, "ToMaster", o.ParseToMaster, gameagent.ParseToMaster)
	checkStrict(t, b, "ToServer", o.ParseToServer, gameagent.ParseToServer)
	checkStrict(t, b, "FromServer", o.ParseFromServer, gameagent.ParseFromServer)
}

func TestStrictGolden(t *testing.T) {
	for _, f := range golden.Load(t) {
		for n := range min(len(f.Data), 400) + 1 {
			checkAllStrict(t, f.Data[:n])
		}
	}
}
