// A game that reports its state to a sidecar, with .NET or Mono:
//
//	dotnet run -- http://127.0.0.1:7790
//	mcs -r:System.Net.Http.dll Game.cs && mono Game.exe http://127.0.0.1:7790
using System;
using System.Collections.Generic;
using System.Linq;
using System.Net.Http;
using System.Text;
using System.Threading;
using System.Threading.Tasks;

class Sidecar {
	readonly HttpClient client = new HttpClient { Timeout = TimeSpan.FromSeconds(5) };
	readonly string url;

	public Sidecar(string url) { this.url = url + "/v1/state"; }

	// Reports the whole state. The sidecar answers all queries with it.
	public async Task Report(IEnumerable<KeyValuePair<string, int>> players) {
		var roster = players.Select(p => "{\"name\":" + Quoted(p.Key) + ",\"score\":" + p.Value + "}");
		var state = "{\"name\":\"Duel\",\"map\":\"harbor\",\"port\":25600,\"max\":16," +
			"\"roster\":[" + string.Join(",", roster) + "]}";
		try {
			var answer = await client.PutAsync(url, new StringContent(state, Encoding.UTF8, "application/json"));
			answer.EnsureSuccessStatusCode();
		} catch (Exception error) { // the game goes on, and reports again
			Console.Error.WriteLine("not reported: " + error.Message);
		}
	}

	// Returns a text as a string of JSON.
	static string Quoted(string text) {
		var all = new StringBuilder("\"");
		foreach (var c in text) {
			if (c == '"' || c == '\\') all.Append('\\').Append(c);
			else if (c < ' ') all.AppendFormat("\\u{0:x4}", (int)c);
			else all.Append(c);
		}
		return all.Append('"').ToString();
	}
}

static class Game {
	static void Main(string[] args) {
		var sidecar = new Sidecar(args[0]);
		var players = new Dictionary<string, int> { { "Ann \"Fox\"", 3 } };
		Action report = () => { sidecar.Report(players).Wait(); Thread.Sleep(1000); };
		report();
		players["Bob"] = 0;
		report();
		players.Remove("Ann \"Fox\"");
		report();
	}
}
