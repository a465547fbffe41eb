// Reports the state of an Unreal game to a sidecar. It needs the modules HTTP and Json in
// PublicDependencyModuleNames. It has not been compiled with an engine.
#include "Dom/JsonObject.h"
#include "GameFramework/GameStateBase.h"
#include "GameFramework/PlayerState.h"
#include "HttpModule.h"
#include "Interfaces/IHttpRequest.h"
#include "Interfaces/IHttpResponse.h"
#include "Serialization/JsonSerializer.h"
#include "Serialization/JsonWriter.h"

// ReportState reports the whole state. The sidecar answers all queries with it. Call it from
// the game mode, in PostLogin, in Logout and every ten seconds by a timer.
void ReportState(const AGameStateBase& Game, const FString& Map, int32 Port, int32 MaxPlayers)
{
	TArray<TSharedPtr<FJsonValue>> Roster;
	for (const APlayerState* Player : Game.PlayerArray)
	{
		TSharedRef<FJsonObject> One = MakeShared<FJsonObject>();
		One->SetStringField(TEXT("name"), Player->GetPlayerName());
		One->SetNumberField(TEXT("score"), FMath::RoundToInt(Player->GetScore()));
		Roster.Add(MakeShared<FJsonValueObject>(One));
	}
	TSharedRef<FJsonObject> State = MakeShared<FJsonObject>();
	State->SetStringField(TEXT("name"), TEXT("Duel"));
	State->SetStringField(TEXT("map"), Map);
	State->SetNumberField(TEXT("port"), Port);
	State->SetNumberField(TEXT("max"), MaxPlayers);
	State->SetArrayField(TEXT("roster"), Roster);

	FString Body;
	FJsonSerializer::Serialize(State, TJsonWriterFactory<>::Create(&Body));
	TSharedRef<IHttpRequest, ESPMode::ThreadSafe> Request = FHttpModule::Get().CreateRequest();
	Request->SetURL(TEXT("http://127.0.0.1:7790/v1/state"));
	Request->SetVerb(TEXT("PUT"));
	Request->SetHeader(TEXT("Content-Type"), TEXT("application/json"));
	Request->SetTimeout(2.0f);
	Request->SetContentAsString(Body);
	Request->OnProcessRequestComplete().BindLambda([](FHttpRequestPtr, FHttpResponsePtr Answer, bool bArrived)
	{
		if (!bArrived || Answer->GetResponseCode() != 204)  // the game goes on, and reports again
		{
			UE_LOG(LogTemp, Warning, TEXT("not reported: %s"), Answer ? *Answer->GetContentAsString() : TEXT("no answer"));
		}
	});
	Request->ProcessRequest();
}
