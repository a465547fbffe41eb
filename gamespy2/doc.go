// Package gamespy2 encodes and decodes the query protocol of GameSpy's QR2 library,
// versions 2 and 3, with and without challenges. Clients query game servers over UDP.
// Battlefield 2, Unreal Tournament 3, Crysis, Halo, SWAT 4, Minecraft and many other games
// answer. Package gamespy2/qr2 is the codec of the messages between these servers and their
// masters.
//
// Package gameagent/gamespy1 is the codec of the older protocol of GameSpy, whose messages
// are keys and values between backslashes.
//
// # Flow
//
//	client                                  server
//	  | Request         TypeChallenge         |
//	  |-------------------------------------->|  optional
//	  |                ChallengeResponse      |
//	  |<--------------------------------------|  0: the server uses no challenges
//	  | Request         TypeQuery, challenge  |
//	  |-------------------------------------->|
//	  |                Response, or Values    |
//	  |<--------------------------------------|  one Packet or several
//
// A query with [FlagSplit] is version 3, and its response has the split form. A
// query without the flag is version 2, and its response has the plain form. A
// server ignores requests that it does not understand and queries with a wrong
// challenge.
//
// A server that uses no challenges answers a challenge request with the number 0,
// because clients such as gamedig treat a silent server as offline. If the number
// is not 0, the client repeats it in its query, as four bytes in two's complement.
//
// # Wire format
//
// Numbers are big-endian. A text ends with a zero byte. Each game chooses the
// character encoding; see [lobbywire.UTF8] and [Options.Text].
//
// The section Messages, at the end, shows each layout.
//
// [Response] describes the layout of the sections. In the plain form, tables are row by
// row, and only the query says which sections a response contains. In the split form,
// tables are column by column, and each packet names the section, column and row that it
// continues, so packets can be read independently.
//
// # Sources
//
// The behaviour of GameSpy's QR2 and server browsing libraries; responses captured
// from servers of a dozen games; the requests of qstat 2.17, gamedig 5.3.3, GameQ
// and opengsq-python 3.6.2, and how these programs read responses; wiki.vg on
// Minecraft, issue 5883 of PaperMC/Paper, and the query clients minecraft-server-util
// 5.4.4, minecraft-query 1.0.13, mcstatusgo and minequery. The names of keys of Unreal
// Tournament 3 are those of gamedig.
//
// The document "Informationen über das BF2-Query Protokoll", in German, describes
// the split form of Battlefield 2 (www.sgiersch.de/bf2-query-protokoll). Its
// request is document_request.hex and its sample document_sample.hex. It errs in
// these points:
//
//	the document                                servers
//	01 ends a request                           01 is the flag [FlagSplit]
//	00 FF FF requests players and teams only    so it does, but only without the
//	                                            flag; the split form has all
//	a second number follows the packet number   it is the byte of the section
//	00 00 01 and 00 00 02 are separators        two ends and the byte of a section
//	team_t 00 00                                the end of the name, and row 0
//	82 02 is the fourth packet                  it is 83; the third is 82
//	columns death_ and kill_                    deaths_ and skill_; [Response.BF2]
//	                                            reads both
//	the response ends after score_t             a score for each team and three
//	                                            ends follow (document_end.hex)
//
// # Strictness
//
//	                                      by default       Options.Strict
//	request over 255 bytes                ErrTooLarge      ErrTooLarge
//	bytes after a request                 ignored          ErrTrailing
//	unknown flags of a query              kept             kept
//	key ids that are not registered       kept             kept
//	padding of a challenge response
//	  other than zeros to 12 bytes        ignored          ErrTrailing
//	challenge response of 10 bytes
//	  whose text is no number             four bytes       ErrInvalid
//	bytes after a response                Partial, unless  ErrTrailing
//	                                      they are zero
//	split form, the only or last packet:
//	  it ends in a section                Partial          ErrTruncated
//	  a section is missing                none             ErrTruncated
//	  an unknown section                  Partial          ErrTrailing
//	  column name over 100 bytes          Partial          ErrTooLarge
//	  column name without _ or _t         kept             ErrInvalid
//	  a column that starts after row 0,
//	  not the first item of its packet    kept, by guess   ErrInvalid
//	  empty value in a table              kept, by guess   end of the column
//	  value of a property is missing      ""               ErrInvalid
//	  a column has fewer values than
//	  another, but not none               Partial          Partial
//	  a column starts after rows that it
//	  lacks                               Partial          Partial
//	  a full stat of Minecraft with a
//	  number over 7                       the only packet  ErrTooLarge
//	  zero byte in a value of Minecraft   kept             ErrInvalid
//	plain form:
//	  it ends in a table                  Partial          ErrTruncated
//	  it ends in info                     ErrTruncated, or Partial if it has
//	                                      1400 bytes or Options.Sections is set
//	  rows of no columns                  none             ErrInvalid
//	  a table over a limit, with a
//	  section before it                   Partial          ErrTooLarge
//	last key without a value              Partial          ErrInvalid
//	row count without its second byte     rows up to an    an error
//	                                      empty value
//	zero byte before the players          ignored          ErrInvalid, or in
//	                                                       split form ErrTrailing
//	table of Just Cause 2 Multiplayer     whole            ErrTrailing
//	key over 100 bytes                    kept             ErrTooLarge
//	duplicate keys                        kept             kept
//	text that is not UTF-8                kept             kept
//
// The last item of a packet may be cut, except in the last packet. The next packet then
// repeats it in full. If the next packet continues after the item instead, the item was
// complete; if that packet is missing, the item is ignored and the response is Partial. A
// response whose last packet ends in a text, a column or a section is Partial, too.
// Everything before that point is kept. A text that is cut counts as missing, but its row
// is kept. A response that ends after player_, its only column, is not Partial: a full stat
// of Minecraft ends there.
//
// A response that contradicts itself is Partial: its last key has no value, columns have
// different numbers of values or start after rows that they lack (v3_late_start.hex), or
// bytes follow that are not a section and may be rows or keys. A count that differs from
// the rows does not make it Partial: numplayers may be more than the rows, because
// Battlefield 2 sends at most 64, or less, because some servers do not count bots and
// spectators.
//
// Encoding refuses what a known client misreads, even where the format allows it: see
// [Response.AppendBinary] and [Response.Packets]. [Response.PacketsCut] can cut a response
// as Battlefield 2 does, to test clients, and with [CutAsRead] it forwards the responses of
// servers unchanged.
//
// # Limits
//
// GameSpy's code sends packets of at most 1400 bytes and responses of at most 8 packets.
// The decoder accepts packets of any size and up to 128 of them. Our own limits are
// [MaxColumns] and [MaxTableValues] for a table and 65 536 bytes for a split response,
// which MaxAnswer of [Assembler] replaces. A table of a split response has at most one
// value for each byte, and 2048 more. Parsing a response allocates at most 64 times its
// bytes and 320 KiB.
//
// # Quirks
//
// gamedig's challenge request has four surplus bytes
// (testdata/golden/challenge_request_long.hex).
//
// Unreal Tournament 3 pads challenge responses (challenge_padded.hex). It sends
// empty values for bots, which in split form look like the end of a column
// (v3_empty_values.hex), and may omit values of properties
// (v3_missing_value.hex). Many of its keys are numbers (v3_ut3_keys.hex). qstat requires
// padding for numbers other than 0 (challenge_short.hex).
//
// Crysis sends sections without columns (v3_empty_sections.hex). Crysis Wars sends
// blanks for unknown values (v3_blanks.hex). ArmA sends empty values in plain form
// and the column names of an empty table (v2_empty_values.hex,
// v2_empty_table.hex). SWAT 4 has no teams (v2_tables_no_teams.hex). Halo sends
// control bytes and Latin-1 (v2_info.hex).
//
// Servers cut packets within values (cut_value.hex, cut_value_whole.hex,
// cut_info_value.hex), within names (cut_column_name.hex, cut_info_key.hex) and after the
// first row of a column (cut_after_start.hex). Some cut between two values and repeat none
// (between_values_p0.hex, between_values_p1.hex). The last packet may contain only teams
// (part_teams.hex).
//
// The value of numplayers may differ from the number of rows
// (v3_duplicate_keys.hex): Battlefield 2 sends at most 64 rows. Others also send rows of bots
// (v3_bots_uncounted.hex, v3_bots_unmarked.hex, v3_bots_idle.hex) and viewers
// (v2_viewers.hex) that they do not count (v3_uncounted_players.hex, v3_crysis_uncounted.hex),
// and plugins of Minecraft change the number (minecraft_more_players.hex,
// minecraft_uncounted_players.hex). A player's team is a row of the teams, from
// 1 in Battlefield 2 (v3_columns.hex), from 0 in Halo.
//
// Minecraft always requires a challenge, and its clients send [StatRequest]. The request
// for the full stat ends in four bytes of padding instead of selectors: zeros
// (minecraft_full_request.hex) or FF FF FF 01 (minecraft_full_request_selectors.hex). The
// full stat is a split response of one packet of any size that ends after the players
// (minecraft_full_stat.hex); clients refuse bytes after them, and some read keys by
// position. The basic stat is a message of its own, [BasicStat] (minecraft_basic_stat.hex).
// See [Minecraft].
//
// Minecraft sends the low byte of each character, so texts may contain zero bytes, most
// often the message of the day (minecraft_motd_zero.hex, minecraft_motd_zeros.hex,
// minecraft_basic_stat_zero.hex). The keys of a full stat are known and in order, so its
// values end before the next key. In a basic stat, the number of the other texts is known,
// and its gameType is SMP. Paper for 1.17 sends four bytes where others send one
// (minecraft_paper.hex). Nukkit sends the number of a challenge as four bytes
// (challenge_nukkit.hex). MiNET sends a question mark in place of the packet number
// (minecraft_minet.hex).
//
// Just Cause 2 Multiplayer needs [FlagJustCause2], sends one packet that is not marked as
// the last, and has a form of its own for players (v3_jc2mp.hex). America's Army may leave
// out the second byte of a row count (v2_missing_count.hex). The mod GS2 of SWAT 4 ends
// info with an empty key and an empty value, so a surplus zero byte precedes the players
// (v2_surplus_zero.hex).
package gamespy2

//go:generate go run ../internal/wire/wiregen
