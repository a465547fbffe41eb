import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A game that reports its state to a sidecar: java Game.java http://127.0.0.1:7790 */
class Game {
	private static final HttpClient client = HttpClient.newHttpClient();

	/** Reports the whole state. The sidecar answers all queries with it. */
	static void report(String url, Map<String, Integer> players) throws InterruptedException {
		var roster = players.entrySet().stream()
			.map(p -> "{\"name\":" + quoted(p.getKey()) + ",\"score\":" + p.getValue() + "}")
			.collect(Collectors.joining(","));
		var state = "{\"name\":\"Duel\",\"map\":\"harbor\",\"port\":25600,\"max\":16,\"roster\":[" + roster + "]}";
		var request = HttpRequest.newBuilder(URI.create(url + "/v1/state"))
			.timeout(Duration.ofSeconds(2))
			.PUT(HttpRequest.BodyPublishers.ofString(state))
			.build();
		try {
			var answer = client.send(request, BodyHandlers.ofString());
			if (answer.statusCode() >= 300) System.err.println("not reported: " + answer.body());
		} catch (IOException error) { // the game goes on, and reports again
			System.err.println("not reported: " + error);
		}
	}

	/** Returns a text as a string of JSON. */
	static String quoted(String text) {
		return text.chars()
			.mapToObj(c -> c == '"' || c == '\\' ? "\\" + (char) c
				: c < ' ' ? String.format("\\u%04x", c) : String.valueOf((char) c))
			.collect(Collectors.joining("", "\"", "\""));
	}

	public static void main(String[] args) throws InterruptedException {
		var players = new TreeMap<>(Map.of("Ann \"Fox\"", 3));
		report(args[0], players);
		Thread.sleep(1000);
		players.put("Bob", 0);
		report(args[0], players);
		Thread.sleep(1000);
		players.remove("Ann \"Fox\"");
		report(args[0], players);
		Thread.sleep(1000);
	}
}
