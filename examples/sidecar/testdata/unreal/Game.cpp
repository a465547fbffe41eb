// What Engine.h declares, and a game that does as the others do.
#include "SidecarSubsystem.h"

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>
#include <utility>
#include <vector>

FTSTicker& FTSTicker::GetCoreTicker()
{
	static FTSTicker Ticker;
	return Ticker;
}

FHttpModule& FHttpModule::Get()
{
	static FHttpModule Module;
	return Module;
}

TMulticastDelegate<AGameModeBase*, APlayerController*>& FGameModeEvents::OnGameModePostLoginEvent()
{
	static TMulticastDelegate<AGameModeBase*, APlayerController*> Event;
	return Event;
}

TMulticastDelegate<AGameModeBase*, AController*>& FGameModeEvents::OnGameModeLogoutEvent()
{
	static TMulticastDelegate<AGameModeBase*, AController*> Event;
	return Event;
}

// The texts of the game are ASCII.
static std::wstring Wide(const std::string& Text) { return std::wstring(Text.begin(), Text.end()); }
static std::string Narrow(const FString& Text)
{
	const std::wstring Chars = *Text;
	return std::string(Chars.begin(), Chars.end());
}

FString FPlatformMisc::GetEnvironmentVariable(const TCHAR* Name)
{
	const char* Value = getenv(Narrow(Name).c_str());
	return FString(Wide(Value ? Value : "").c_str());
}

static std::wstring Quoted(const FString& Text)
{
	std::wstring All = L"\"";
	for (const TCHAR* C = *Text; *C; C++)
	{
		All += *C == '"' || *C == '\\' ? std::wstring{'\\', *C} : std::wstring{*C};
	}
	return All + L'"';
}

void FJsonObject::Set(const FString& Name, const std::wstring& Value)
{
	Fields += (Fields.empty() ? L"" : L",") + Quoted(Name) + L":" + Value;
}
void FJsonObject::SetStringField(const FString& Name, const FString& Value) { Set(Name, Quoted(Value)); }
void FJsonObject::SetNumberField(const FString& Name, double Value) { Set(Name, std::to_wstring(Value)); }
void FJsonObject::SetBoolField(const FString& Name, bool Value) { Set(Name, Value ? L"true" : L"false"); }
void FJsonObject::SetArrayField(const FString& Name, const TArray<TSharedPtr<FJsonValue>>& Values)
{
	std::wstring All;
	for (const TSharedPtr<FJsonValue>& Value : Values)
	{
		All += (All.empty() ? L"" : L",") + Value->Write();
	}
	Set(Name, L"[" + All + L"]");
}
std::wstring FJsonObject::Write() const { return L"{" + Fields + L"}"; }

// The answers that the next frame brings.
static std::vector<std::function<void()>> Arrived;

// The URL is http://ADDRESS:PORT/PATH, with an address of IPv4.
bool IHttpRequest::ProcessRequest()
{
	char Address[16], Path[64], Answer[512] = "";
	int Port = 0;
	if (sscanf(Narrow(Url).c_str(), "http://%15[0-9.]:%d%63s", Address, &Port, Path) != 3)
	{
		return false;
	}
	sockaddr_in At = {};
	At.sin_family = AF_INET;
	At.sin_port = htons(Port);
	inet_pton(AF_INET, Address, &At.sin_addr);
	const std::string Body = Narrow(Content);
	const std::string Text = Narrow(Verb) + " " + Path + " HTTP/1.0\r\nHost: " + Address +
		"\r\nContent-Length: " + std::to_string(Body.size()) + "\r\n\r\n" + Body;
	const int Socket = socket(AF_INET, SOCK_STREAM, 0);
	FHttpResponsePtr Response;
	if (connect(Socket, reinterpret_cast<sockaddr*>(&At), sizeof At) == 0 &&
		write(Socket, Text.data(), Text.size()) == ssize_t(Text.size()) &&
		read(Socket, Answer, sizeof Answer - 1) > 0)
	{
		Response = std::make_shared<IHttpResponse>();
		sscanf(Answer, "HTTP/1.%*d %d", &Response->Code);
		Response->Content = FString(Wide(Answer).c_str());
	}
	close(Socket);
	Arrived.push_back([Call = Complete.Call, Response] { Call(Response); });
	return true;
}

// Second plays a second of 20 frames, at whose end tickers are called.
static void Second()
{
	for (int Frame = 0; Frame < 20; Frame++)
	{
		for (const auto& Call : std::exchange(Arrived, {}))
		{
			Call();
		}
		usleep(50000);
	}
	for (const FTickerDelegate& Ticker : FTSTicker::GetCoreTicker().All)
	{
		Ticker.Call(1.0f);
	}
}

int main(int, char** Arguments)
{
	setenv("SIDECAR_STATE", Arguments[1], 1);
	AGameSession Session;
	AGameModeBase GameMode;
	GameMode.GameSession = &Session;
	AGameStateBase GameState;
	UWorld World;
	World.GameMode = &GameMode;
	World.GameState = &GameState;
	UGameInstance Instance;
	Instance.World = &World;

	USidecarSubsystem Subsystem;
	Subsystem.Instance = &Instance;
	FSubsystemCollectionBase Collection;
	Subsystem.Initialize(Collection);

	APlayerState States[2];
	APlayerController Players[2];
	const TCHAR* Names[] = {TEXT("Ann \"Fox\""), TEXT("Bob")};
	for (int i = 0; i < 2; i++)
	{
		States[i].Name = Names[i];
		Players[i].State = &States[i];
		GameState.PlayerArray.Add(&States[i]);
		FGameModeEvents::OnGameModePostLoginEvent().Broadcast(&GameMode, &Players[i]);
		Second();
	}
	// The player who leaves is in the list for as long as the engine likes.
	FGameModeEvents::OnGameModeLogoutEvent().Broadcast(&GameMode, &Players[0]);
	Second();
	Subsystem.Deinitialize();
}
