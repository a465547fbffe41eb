// Package gamespy2 encodes and decodes the queries of GameSpy's QR2 library,
// which start with FE FD: versions 2 and 3 of the protocol, with and without
// challenge. Battlefield 2, Unreal Tournament 3, Crysis, Halo, SWAT 4, Minecraft
// and many others answer them over UDP.
//
// # Flow
//
//	client                                  server
//	  | Request         TypeChallenge         |
//	  |-------------------------------------->|  may be left out
//	  |                ChallengeResponse      |
//	  |<--------------------------------------|  0: no challenge is wanted
//	  | Request         TypeQuery, challenge  |
//	  |-------------------------------------->|
//	  |                Response, or Values    |
//	  |<--------------------------------------|  one Packet or several
//
// A query with [FlagSplit] is version 3 and is answered in split form; without
// it is version 2, answered in plain form. A server answers what it does not
// understand, or a wrong challenge, with silence. A server that never asks for
// challenges answers a challenge request with 0 all the same: clients such as
// gamedig take one that is silent for dead. Any other number goes back in the
// query as four bytes, two's complement.
//
// # Wire format
//
// Numbers are big-endian. A text ends with a zero byte; which characters its
// bytes are is up to the game, see [Latin1].
//
//	Request, query
//	 0           2       3               7
//	+-----------+-------+---------------+ - - - - - - - +------+---------+-------+ - - - +
//	| FE FD     | 00    | id            | challenge     | info | players | teams | flags |
//	+-----------+-------+---------------+ - - - - - - - +------+---------+-------+ - - - +
//	info, players, teams: 00 none, FF all, or a number and as many key ids
//
//	Request, challenge                  Request, echo
//	 0           2       3           7   0           2       3               7
//	+-----------+-------+-----------+   +-----------+-------+---------------+------
//	| FE FD     | 09    | id        |   | FE FD     | 02    | id            | data
//	+-----------+-------+-----------+   +-----------+-------+---------------+------
//
//	ChallengeResponse                                     EchoResponse
//	 0       1               5                             0       1               5
//	+-------+---------------+-----------+ - - - - +       +-------+---------------+------
//	| 09    | id            | number 00 | padding |       | 05    | id            | data
//	+-------+---------------+-----------+ - - - - +       +-------+---------------+------
//
//	Values                                                Response, plain form
//	 0       1               5                             0       1               5
//	+-------+---------------+----------------+            +-------+---------------+- - - +- - - - -+- - - -+
//	| 00    | id            | [value 00]...  |            | 00    | id            | info | players | teams |
//	+-------+---------------+----------------+            +-------+---------------+- - - +- - - - -+- - - -+
//
//	Packet; Response, split form
//	 0       1               5                       14       15
//	+-------+---------------+-----------------------+--------+----------
//	| 00    | id            | "splitnum" 00         | number | ...
//	+-------+---------------+-----------------------+--------+----------
//
// [Response] has the layout of sections: they are the rest of a packet in split
// form. In plain form tables are sent row by row, and what was asked tells which
// sections there are. In split form they are sent column by column, each piece with section, column and row in front,
// so that packets can be read apart.
//
// # Sources
//
// The behaviour of GameSpy's QR2 and server browsing libraries; answers captured
// from servers of a dozen games; requests of qstat 2.17, gamedig 5.3.3, GameQ and
// opengsq-python 3.6.2, and what these make of answers; wiki.vg on Minecraft.
//
// # Strictness
//
//	                                      by default       Options.Strict
//	request over 255 bytes                ErrTooLarge      ErrTooLarge
//	bytes after a request                 ignored          ErrTrailing
//	flags of a query without a meaning    kept             kept
//	key ids without a name                kept             kept
//	padding of a challenge response       ignored          ErrTrailing
//	bytes after an answer                 ignored          ErrTrailing
//	split form, the one or last packet:
//	  an end or a section is missing      none             ErrTruncated
//	  a section that is unknown           rest ignored     ErrTrailing
//	  column name over 100 bytes          rest ignored     ErrTooLarge
//	  empty value in a table              kept, by guess   end of the column
//	  value of a property is missing      ""               not noticed
//	plain form:
//	  of 1400 bytes, ends early           Partial          ErrTruncated
//	  rows of no columns                  none             ErrInvalid
//	key over 100 bytes                    kept             ErrTooLarge
//	duplicate keys                        kept             kept
//	text that is not UTF-8                kept             kept
//
// What comes last in a packet that is not the last one may be cut, so it does
// not count until a later packet repeats it. If none does, the response is
// Partial.
//
// Encoders refuse what some client misreads, even where the format allows it:
// see [Response.AppendBinary] and [Response.AppendPackets].
//
// # Limits
//
// Packets have 1400 bytes and answers 8 packets at most, by GameSpy's code;
// the decoder takes any size and 128 packets. A table has [MaxColumns] columns
// and [MaxTableValues] values and a split answer [MaxAnswer] bytes at most, by
// our choice; Options and Assembler change the last two.
//
// # Quirks
//
// gamedig's challenge request has four bytes more
// (testdata/golden/challenge_request_long.hex).
//
// Unreal Tournament 3 pads challenge responses (challenge_padded.hex), leaves
// values of bots empty, which in split form looks like the end of a column
// (v3_empty_values.hex), and may leave out values of properties
// (v3_missing_value.hex). qstat wants other numbers than 0 padded
// (challenge_short.hex).
//
// Crysis sends sections without columns (v3_empty_sections.hex) and Crysis Wars
// blanks for what it does not know (v3_blanks.hex). ArmA leaves values empty in
// plain form and names the columns of an empty table (v2_empty_values.hex,
// v2_empty_table.hex). SWAT 4 has no teams (v2_tables_no_teams.hex). Halo sends
// control bytes and Latin-1 (v2_info.hex).
//
// Servers cut packets in values (cut_value.hex, cut_value_whole.hex,
// cut_info_value.hex), names (cut_column_name.hex, cut_info_key.hex) and after
// the first row of a column (cut_after_start.hex). The last packet may have only
// teams (part_teams.hex).
//
// numplayers need not be the number of rows (v3_duplicate_keys.hex): Battlefield
// 2 sends 64 rows at most.
//
// Minecraft asks for a challenge always. Its full stat is a split answer in one
// packet of any size that ends after the players (minecraft_full_stat.hex). Its
// basic stat is a message of its own (minecraft_basic_stat.hex).
//
// Just Cause 2 Multiplayer never marks the last packet and has a form of its own
// for players, which is ignored (part_jc2mp.hex).
package gamespy2

//go:generate go run ../internal/shells
