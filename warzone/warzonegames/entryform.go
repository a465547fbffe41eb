package warzonegames

import (
	"encoding/hex"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire/internal/registry"
	"github.com/lobbywire/lobbywire/internal/wire"
	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/internal/gamelist"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// An entryForm is the binary form of an Entry, without the fields that Games sets:
// Withheld, Game.Host and Game.GameID.
type entryForm struct {
	Key         netip.AddrPort `json:"key,omitzero"`
	ID          uint32         `json:"id,omitempty"`
	Source      Source         `json:"source,omitempty"`
	Started     bool           `json:"started,omitempty"`
	Verified    bool           `json:"verified,omitempty"`
	Withheld    bool           `json:"withheld,omitempty"`
	Unreachable bool           `json:"unreachable,omitempty"`
	Game        gameForm       `json:"game,omitzero"`
	Tech        string         `json:"tech,omitempty"`
	HTTP        httpForm       `json:"http,omitzero"`
	Opened      time.Time      `json:"opened,omitzero"`
	Seen        time.Time      `json:"seen,omitzero"`
	Expires     time.Time      `json:"expires,omitzero"`
}

// A gameForm is the binary form of a [warzone.Game].
type gameForm struct {
	Version        uint32         `json:"version,omitempty"`
	Layout         warzone.Layout `json:"layout,omitempty"`
	Name           string         `json:"name,omitempty"`
	Size           uint32         `json:"size,omitempty"`
	Flags          uint32         `json:"flags,omitempty"`
	Host           string         `json:"host,omitempty"`
	MaxPlayers     uint32         `json:"maxPlayers,omitempty"`
	CurrentPlayers uint32         `json:"currentPlayers,omitempty"`
	UserFlags      [4]uint32      `json:"userFlags,omitzero"`
	Misc           string         `json:"misc,omitempty"`
	SecondaryHosts [2]string      `json:"secondaryHosts,omitzero"`
	Extra          string         `json:"extra,omitempty"`
	HostPort       uint16         `json:"hostPort,omitempty"`
	MapName        string         `json:"mapName,omitempty"`
	HostName       string         `json:"hostName,omitempty"`
	VersionString  string         `json:"versionString,omitempty"`
	ModList        string         `json:"modList,omitempty"`
	NetcodeMajor   uint32         `json:"netcodeMajor,omitempty"`
	NetcodeMinor   uint32         `json:"netcodeMinor,omitempty"`
	Private        uint32         `json:"private,omitempty"`
	Pure           uint32         `json:"pure,omitempty"`
	Mods           uint32         `json:"mods,omitempty"`
	GameID         uint32         `json:"gameId,omitempty"`
	Limits         warzone.Limits `json:"limits,omitempty"`
	OS             warzone.OS     `json:"os,omitempty"`
	NetcodeWord    uint32         `json:"netcodeWord,omitempty"`
}

type httpForm struct {
	Session   uint64          `json:"session,omitempty"`
	Second    netip.AddrPort  `json:"second,omitzero"`
	PublicKey string          `json:"publicKey,omitempty"`
	MapHash   string          `json:"mapHash,omitempty"`
	Mods      []modForm       `json:"mods,omitempty"`
	Announced []announcedForm `json:"announced,omitempty"`
	Joins     []usedTokenForm `json:"joins,omitempty"`
}

type modForm struct {
	Name string `json:"name"`
	Hash string `json:"hash"`
}

type announcedForm struct {
	Kind   wzhttp.ConnectionType `json:"kind"`
	At     netip.AddrPort        `json:"at"`
	Status wzhttp.Validation     `json:"status"`
}

type usedTokenForm struct {
	Expires int64    `json:"expires"`
	Nonce   hexBytes `json:"nonce"`
	Player  hexBytes `json:"player"`
}

type hexBytes [8]byte

func (h hexBytes) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, h[:]), nil }

func (h *hexBytes) UnmarshalText(text []byte) error {
	b, err := hex.DecodeString(string(text))
	if err != nil || len(b) != len(h) {
		return wire.Invalid("is not hexadecimal")
	}
	*h = hexBytes(b)
	return nil
}

// AppendBinary appends the form for a [lobbywire.Store] that saves or sends entries. It
// omits the fields that Games sets: Withheld, Game.Host and Game.GameID.
func (e Entry) AppendBinary(b []byte) ([]byte, error) {
	f := entryForm{
		Key: e.Key, ID: e.ID, Source: e.Source, Started: e.Started, Verified: e.Verified, Unreachable: e.Unreachable,
		Game: gameForm(e.Game), Tech: e.Tech,
		HTTP:   httpForm{Session: e.HTTP.Session, Second: e.Second, PublicKey: e.PublicKey, MapHash: e.MapHash},
		Opened: e.Opened.UTC(), Seen: e.Seen.UTC(), Expires: e.Expires.UTC(),
	}
	f.Game.Host, f.Game.GameID = "", 0
	for _, m := range e.Mods {
		f.HTTP.Mods = append(f.HTTP.Mods, modForm{m.Name, m.Hash})
	}
	for _, a := range e.HTTP.Announced {
		f.HTTP.Announced = append(f.HTTP.Announced, announcedForm(a))
	}
	for _, t := range e.HTTP.Joins {
		f.HTTP.Joins = append(f.HTTP.Joins, usedTokenForm{t.Expires, t.Nonce, t.Player})
	}
	return registry.AppendForm(b, "warzonegames", &f, e.Extra)
}

// MarshalBinary returns what AppendBinary appends.
func (e Entry) MarshalBinary() ([]byte, error) { return e.AppendBinary(nil) }

// UnmarshalBinary reads the form that AppendBinary writes. On error, e is unchanged.
func (e *Entry) UnmarshalBinary(b []byte) error {
	var f entryForm
	extra, err := registry.ParseForm(b, "warzonegames", &f)
	if err != nil {
		return err
	}
	f.Game.Host, f.Game.GameID = "", 0
	*e = Entry{
		Key: f.Key, ID: f.ID, Source: f.Source, Started: f.Started, Verified: f.Verified, Unreachable: f.Unreachable,
		Game: warzone.Game(f.Game), Tech: f.Tech,
		Second: f.HTTP.Second, PublicKey: f.HTTP.PublicKey, MapHash: f.HTTP.MapHash,
		HTTP:   gamelist.HTTP{Session: f.HTTP.Session},
		Opened: f.Opened, Seen: f.Seen, Expires: f.Expires, Extra: extra,
	}
	for _, m := range f.HTTP.Mods {
		e.Mods = append(e.Mods, wzhttp.Mod{Name: m.Name, Hash: m.Hash})
	}
	for _, a := range f.HTTP.Announced {
		e.HTTP.Announced = append(e.HTTP.Announced, gamelist.AnnouncedAddress(a))
	}
	for _, t := range f.HTTP.Joins {
		e.HTTP.Joins = append(e.HTTP.Joins, gamelist.UsedToken{Expires: t.Expires, Nonce: t.Nonce, Player: t.Player})
	}
	return nil
}
