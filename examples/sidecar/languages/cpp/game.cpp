// A game that reports its state to a sidecar, with libcurl:
//
//	c++ -std=c++17 -o game game.cpp -lcurl && ./game http://127.0.0.1:7790
#include <curl/curl.h>

#include <chrono>
#include <cstdio>
#include <map>
#include <string>
#include <thread>

// quoted returns a text, in UTF-8, as a string of JSON.
std::string quoted(const std::string& text) {
	std::string all = "\"";
	for (unsigned char c : text) {
		char escape[8];
		if (c == '"' || c == '\\') {
			all += '\\';
			all += c;
		} else if (c < 0x20) {
			snprintf(escape, sizeof escape, "\\u%04x", c);
			all += escape;
		} else {
			all += c;
		}
	}
	return all + '"';
}

// report reports the whole state. The sidecar answers all queries with it.
void report(CURL* curl, const std::map<std::string, int>& players) {
	std::string roster;
	for (const auto& [name, score] : players)
		roster += (roster.empty() ? "" : ",") + ("{\"name\":" + quoted(name)) + ",\"score\":" + std::to_string(score) + "}";
	std::string state = "{\"name\":\"Duel\",\"map\":\"harbor\",\"port\":25600,\"max\":16,\"roster\":[" + roster + "]}";
	curl_easy_setopt(curl, CURLOPT_POSTFIELDS, state.c_str());
	if (CURLcode error = curl_easy_perform(curl))  // the game goes on, and reports again
		fprintf(stderr, "not reported: %s\n", curl_easy_strerror(error));
}

int main(int, char** argv) {
	CURL* curl = curl_easy_init();
	curl_easy_setopt(curl, CURLOPT_URL, (std::string(argv[1]) + "/v1/state").c_str());
	curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, "PUT");
	curl_easy_setopt(curl, CURLOPT_FAILONERROR, 1L);
	curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, 2000L);

	std::map<std::string, int> players = {{"Ann \"Fox\"", 3}};
	const auto second = std::chrono::seconds(1);
	report(curl, players);
	std::this_thread::sleep_for(second);
	players["Bob"] = 0;
	report(curl, players);
	std::this_thread::sleep_for(second);
	players.erase("Ann \"Fox\"");
	report(curl, players);
	std::this_thread::sleep_for(second);
	curl_easy_cleanup(curl);
}
