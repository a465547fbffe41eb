#include "SidecarSubsystem.h"

#include "Dom/JsonObject.h"
#include "Engine/GameInstance.h"
#include "Engine/World.h"
#include "GameFramework/GameModeBase.h"
#include "GameFramework/GameSession.h"
#include "GameFramework/GameStateBase.h"
#include "GameFramework/PlayerController.h"
#include "GameFramework/PlayerState.h"
#include "HAL/PlatformMisc.h"
#include "HttpModule.h"
#include "Interfaces/IHttpResponse.h"
#include "Serialization/JsonSerializer.h"
#include "Serialization/JsonWriter.h"

DEFINE_LOG_CATEGORY_STATIC(LogSidecar, Log, All);

void USidecarSubsystem::Initialize(FSubsystemCollectionBase& Collection)
{
	Super::Initialize(Collection);
	const FString FromSidecar = FPlatformMisc::GetEnvironmentVariable(TEXT("SIDECAR_STATE"));
	if (!FromSidecar.IsEmpty())
	{
		Url = FromSidecar;
	}
	FGameModeEvents::OnGameModePostLoginEvent().AddUObject(this, &USidecarSubsystem::OnJoined);
	FGameModeEvents::OnGameModeLogoutEvent().AddUObject(this, &USidecarSubsystem::OnLeft);
	Ticking = FTSTicker::GetCoreTicker().AddTicker(
		FTickerDelegate::CreateUObject(this, &USidecarSubsystem::OnSecond), 1.0f);
}

void USidecarSubsystem::Deinitialize()
{
	FTSTicker::GetCoreTicker().RemoveTicker(Ticking);
	FGameModeEvents::OnGameModePostLoginEvent().RemoveAll(this);
	FGameModeEvents::OnGameModeLogoutEvent().RemoveAll(this);
	Super::Deinitialize();
}

void USidecarSubsystem::OnJoined(AGameModeBase*, APlayerController*)
{
	Report();
}

// The engine removes a player from PlayerArray only after this event.
void USidecarSubsystem::OnLeft(AGameModeBase*, AController* Player)
{
	Leaving = Player->GetPlayerState<APlayerState>();
	Report();
}

bool USidecarSubsystem::OnSecond(float)
{
	Seconds++;
	if (Seconds >= 10 || State() != Reported)
	{
		Report();
	}
	return true; // and again
}

// State returns the whole state, or nothing on a client.
FString USidecarSubsystem::State() const
{
	const UWorld* World = GetGameInstance()->GetWorld();
	const AGameModeBase* GameMode = World ? World->GetAuthGameMode() : nullptr;
	const AGameStateBase* Game = World ? World->GetGameState() : nullptr;
	if (!GameMode || !Game)
	{
		return FString();
	}
	TArray<TSharedPtr<FJsonValue>> Roster;
	for (const APlayerState* Player : Game->PlayerArray)
	{
		if (!Player || Player == Leaving.Get() || Player->IsInactive() || Player->IsOnlyASpectator())
		{
			continue;
		}
		TSharedRef<FJsonObject> One = MakeShared<FJsonObject>();
		One->SetStringField(TEXT("name"), Player->GetPlayerName());
		One->SetNumberField(TEXT("score"), FMath::RoundToInt(Player->GetScore()));
		One->SetBoolField(TEXT("bot"), Player->IsABot());
		Roster.Add(MakeShared<FJsonValueObject>(One));
	}
	TSharedRef<FJsonObject> All = MakeShared<FJsonObject>();
	All->SetStringField(TEXT("name"), Name);
	All->SetStringField(TEXT("map"), World->GetMapName());
	All->SetNumberField(TEXT("port"), World->URL.Port);
	if (GameMode->GameSession)
	{
		All->SetNumberField(TEXT("max"), GameMode->GameSession->MaxPlayers);
	}
	All->SetArrayField(TEXT("roster"), Roster);

	FString Text;
	FJsonSerializer::Serialize(All, TJsonWriterFactory<>::Create(&Text));
	return Text;
}

void USidecarSubsystem::Report()
{
	if (bReporting) // two reports at once could arrive in the wrong order
	{
		bReportAgain = true;
		return;
	}
	const FString Now = State();
	if (Now.IsEmpty())
	{
		return;
	}
	bReporting = true;
	Reported = Now;
	Seconds = 0;
	TSharedRef<IHttpRequest, ESPMode::ThreadSafe> Request = FHttpModule::Get().CreateRequest();
	Request->SetURL(Url + TEXT("/v1/state"));
	Request->SetVerb(TEXT("PUT"));
	Request->SetHeader(TEXT("Content-Type"), TEXT("application/json"));
	Request->SetTimeout(2.0f);
	Request->SetContentAsString(Now);
	Request->OnProcessRequestComplete().BindUObject(this, &USidecarSubsystem::OnAnswered);
	Request->ProcessRequest();
}

void USidecarSubsystem::OnAnswered(FHttpRequestPtr, FHttpResponsePtr Answer, bool bArrived)
{
	if (!bArrived || !Answer || Answer->GetResponseCode() != 204) // the game goes on, and reports again
	{
		UE_LOG(LogSidecar, Warning, TEXT("not reported: %s"),
			Answer ? *Answer->GetContentAsString() : TEXT("no answer"));
	}
	bReporting = false;
	if (bReportAgain)
	{
		bReportAgain = false;
		Report();
	}
}
