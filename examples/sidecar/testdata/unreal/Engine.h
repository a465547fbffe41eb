// Stands in for the Unreal Engine: what the plugin uses of it, with the names and types
// of the engine, and so little behaviour that a game can play. All headers of the engine
// include it.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <cwchar>
#include <functional>
#include <memory>
#include <string>
#include <vector>

using int32 = int32_t;
using TCHAR = wchar_t;
#define TEXT(text) L##text

#define UCLASS(...)
#define UPROPERTY(...)
#define UFUNCTION(...)
#define SIDECAR_API
#define DEFINE_LOG_CATEGORY_STATIC(category, level, all) static const TCHAR* const category = TEXT(#category)
#define UE_LOG(category, level, format, ...) \
	(fwprintf(stderr, TEXT("%ls: "), category), fwprintf(stderr, format, __VA_ARGS__))
#define IMPLEMENT_MODULE(implementation, name) static_assert(sizeof(implementation) > 0, #name);

class FDefaultModuleImpl {};

class FString
{
public:
	FString() = default;
	FString(const TCHAR* Text) : Chars(Text) {}
	const TCHAR* operator*() const { return Chars.c_str(); }
	bool IsEmpty() const { return Chars.empty(); }
	bool operator!=(const FString& Other) const { return Chars != Other.Chars; }
	FString operator+(const FString& Other) const { return FString((Chars + Other.Chars).c_str()); }

private:
	std::wstring Chars;
};

template <typename T>
class TArray : private std::vector<T>
{
public:
	using std::vector<T>::begin;
	using std::vector<T>::end;
	void Add(const T& Value) { this->push_back(Value); }
};

// Pointers of the engine have no conversion to bool but in conditions, as these.
enum class ESPMode { NotThreadSafe, ThreadSafe };
template <typename T, ESPMode Mode = ESPMode::ThreadSafe>
using TSharedPtr = std::shared_ptr<T>;
template <typename T, ESPMode Mode = ESPMode::ThreadSafe>
using TSharedRef = std::shared_ptr<T>;
template <typename T, typename... Arguments>
std::shared_ptr<T> MakeShared(Arguments... All)
{
	return std::make_shared<T>(All...);
}

template <typename T>
class TWeakObjectPtr
{
public:
	TWeakObjectPtr& operator=(T* Object) { At = Object; return *this; }
	T* Get() const { return At; }

private:
	T* At = nullptr;
};

// An event calls the methods of objects.
template <typename... Arguments>
class TMulticastDelegate
{
public:
	template <typename T>
	void AddUObject(T* Object, void (T::*Method)(Arguments...))
	{
		All.push_back({Object, [=](Arguments... Values) { (Object->*Method)(Values...); }});
	}
	void RemoveAll(const void* Object)
	{
		std::erase_if(All, [=](const auto& One) { return One.first == Object; });
	}
	void Broadcast(Arguments... Values)
	{
		for (const auto& One : All)
		{
			One.second(Values...);
		}
	}

private:
	std::vector<std::pair<const void*, std::function<void(Arguments...)>>> All;
};

struct FTickerDelegate
{
	template <typename T>
	static FTickerDelegate CreateUObject(T* Object, bool (T::*Method)(float))
	{
		return {[=](float Seconds) { return (Object->*Method)(Seconds); }};
	}
	std::function<bool(float)> Call;
};

class FTSTicker
{
public:
	using FDelegateHandle = int32;
	static FTSTicker& GetCoreTicker();
	FDelegateHandle AddTicker(const FTickerDelegate& Delegate, float)
	{
		All.push_back(Delegate);
		return All.size() - 1;
	}
	static void RemoveTicker(FDelegateHandle Handle) { GetCoreTicker().All[Handle].Call = nullptr; }
	std::vector<FTickerDelegate> All;
};

struct FMath
{
	static int32 RoundToInt(float Value) { return static_cast<int32>(Value + 0.5f); }
};

struct FPlatformMisc
{
	static FString GetEnvironmentVariable(const TCHAR* Name);
};

// JSON.
class FJsonObject;
struct FJsonValue
{
	virtual ~FJsonValue() = default;
	virtual std::wstring Write() const = 0;
};
class FJsonObject
{
public:
	void SetStringField(const FString& Name, const FString& Value);
	void SetNumberField(const FString& Name, double Value);
	void SetBoolField(const FString& Name, bool Value);
	void SetArrayField(const FString& Name, const TArray<TSharedPtr<FJsonValue>>& Values);
	std::wstring Write() const;

private:
	void Set(const FString& Name, const std::wstring& Value);
	std::wstring Fields;
};
struct FJsonValueObject : FJsonValue
{
	explicit FJsonValueObject(const TSharedPtr<FJsonObject>& Object) : Object(Object) {}
	std::wstring Write() const override { return Object->Write(); }
	TSharedPtr<FJsonObject> Object;
};
struct FJsonWriter
{
	FString* Text;
};
template <typename T = TCHAR>
struct TJsonWriterFactory
{
	static TSharedRef<FJsonWriter> Create(FString* Text) { return std::make_shared<FJsonWriter>(FJsonWriter{Text}); }
};
struct FJsonSerializer
{
	static bool Serialize(const TSharedRef<FJsonObject>& Object, const TSharedRef<FJsonWriter>& Writer)
	{
		*Writer->Text = FString(Object->Write().c_str());
		return true;
	}
};

// HTTP.
class IHttpResponse
{
public:
	int32 GetResponseCode() const { return Code; }
	FString GetContentAsString() const { return Content; }
	int32 Code = 0;
	FString Content;
};
class IHttpRequest;
using FHttpRequestPtr = TSharedPtr<IHttpRequest, ESPMode::ThreadSafe>;
using FHttpResponsePtr = TSharedPtr<IHttpResponse, ESPMode::ThreadSafe>;
class FHttpRequestCompleteDelegate
{
public:
	template <typename T>
	void BindUObject(T* Object, void (T::*Method)(FHttpRequestPtr, FHttpResponsePtr, bool))
	{
		Call = [=](FHttpResponsePtr Answer) { (Object->*Method)(nullptr, Answer, Answer != nullptr); };
	}
	std::function<void(FHttpResponsePtr)> Call;
};
class IHttpRequest
{
public:
	void SetURL(const FString& Value) { Url = Value; }
	void SetVerb(const FString& Value) { Verb = Value; }
	void SetHeader(const FString&, const FString&) {}
	void SetTimeout(float) {}
	void SetContentAsString(const FString& Value) { Content = Value; }
	FHttpRequestCompleteDelegate& OnProcessRequestComplete() { return Complete; }
	bool ProcessRequest();

	FString Url, Verb, Content;
	FHttpRequestCompleteDelegate Complete;
};
class FHttpModule
{
public:
	static FHttpModule& Get();
	TSharedRef<IHttpRequest, ESPMode::ThreadSafe> CreateRequest() { return std::make_shared<IHttpRequest>(); }
};

// The game.
class APlayerState
{
public:
	FString GetPlayerName() const { return Name; }
	float GetScore() const { return Score; }
	bool IsInactive() const { return false; }
	bool IsOnlyASpectator() const { return false; }
	bool IsABot() const { return false; }
	FString Name;
	float Score = 0;
};
class AController
{
public:
	template <typename T>
	T* GetPlayerState() const { return State; }
	APlayerState* State = nullptr;
};
class APlayerController : public AController {};
class AGameSession
{
public:
	int32 MaxPlayers = 16;
};
class AGameStateBase
{
public:
	TArray<APlayerState*> PlayerArray;
};
class AGameModeBase
{
public:
	AGameSession* GameSession = nullptr;
};
struct FGameModeEvents
{
	static TMulticastDelegate<AGameModeBase*, APlayerController*>& OnGameModePostLoginEvent();
	static TMulticastDelegate<AGameModeBase*, AController*>& OnGameModeLogoutEvent();
};
class UWorld
{
public:
	AGameModeBase* GetAuthGameMode() const { return GameMode; }
	AGameStateBase* GetGameState() const { return GameState; }
	FString GetMapName() const { return TEXT("harbor"); }
	struct { int32 Port = 25600; } URL;
	AGameModeBase* GameMode = nullptr;
	AGameStateBase* GameState = nullptr;
};
class UGameInstance
{
public:
	UWorld* GetWorld() const { return World; }
	UWorld* World = nullptr;
};
class FSubsystemCollectionBase {};
class UGameInstanceSubsystem
{
public:
	virtual ~UGameInstanceSubsystem() = default;
	virtual void Initialize(FSubsystemCollectionBase&) {}
	virtual void Deinitialize() {}
	UGameInstance* GetGameInstance() const { return Instance; }
	UGameInstance* Instance = nullptr;
};
#define GENERATED_BODY() using Super = UGameInstanceSubsystem;
