//! Which data sets' requests are foreign to which catalog. Looked through by hand.
//!
//! Tools that can do anything (a web search, a browser, a shell) do not count as fitting: whoever has them knows it without a search.

/// Requests of one data set that no tool of another's catalog serves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    /// The data set whose catalog is searched.
    pub(super) catalog: &'static str,
    /// The data set whose requests are asked.
    pub(super) asked: &'static str,
    /// Kinds of requests; empty for all.
    pub(super) kinds: &'static [&'static str],
    /// Names or servers: every tool that serves the request must be among them; empty for all.
    pub(super) only: &'static [&'static str],
    /// Names or servers: no tool that serves the request may be among them.
    pub(super) never: &'static [&'static str],
}

const ANY: &[&str] = &[];

/// Requests about code, containers and web pages.
const WORKSHOP: &[&str] = &["cli_agent", "github", "k8s", "mixed_mcp", "multi_mcp", "playwright"];

/// Korean everyday requests that only a phone or a service in Korea could serve.
const PERSONAL: &[&str] = &[
    "AddAlarm",
    "CallTaxi",
    "CheckTaxRefund",
    "CreateEvent",
    "FindPrinterError",
    "OrderPizza",
    "QueryCalendar",
    "bookBusinessVehicle",
    "book_concert_tickets",
    "checkBankBalance",
    "compareCleaningServices",
    "get_movie_schedule",
    "informDday",
    "registerFriendBirthday",
    "schedule_laundry_pickup",
    "schedule_meeting",
    "searchFriendBirthday",
    "search_contact",
    "setTimer",
    "transferMoney",
    "update_contact",
];

/// Plugins for games, health, homes, jobs, law, leisure, stars and travel.
const LEISURE: &[&str] = &[
    "AusPetrolPrices",
    "AusSurfReport",
    "Broadway",
    "CharityTool",
    "Chess",
    "CourseTool",
    "CribbageScorer",
    "DietTool",
    "Dr_Thoths_Tarot",
    "EarthquakeTool",
    "Horoscopes_by_Inner_Self",
    "HousePurchasingTool",
    "HouseRentingTool",
    "IndoorPlants",
    "JobTool",
    "LawTool",
    "NASATool",
    "Planfit",
    "RestaurantBookingTool",
    "ResumeTool",
    "SASpeedCameras",
    "StrologyTool",
    "Sudoku",
    "SuperchargeMyEV",
    "Talkface_IELTS_Prep",
    "Tax_Calculator",
    "TicTacToe",
    "TripAdviceTool",
    "TripTool",
    "WeatherTool",
    "airqualityforeast",
    "clinical_trial_radar",
    "diceroller",
    "hadith",
    "hdbcarpark",
    "korea_subway",
    "mbti",
    "mini_habits",
    "recipe_retrieval",
    "themeparkhipster",
];

/// What an account, a shop or a search engine could serve as well.
const APIBANK_COMMON: &[&str] = &[
    "DeleteAccount", "DocumentQA", "EcommerceSearch", "ForgotPassword", "GetUserToken",
    "KnowledgeGraph", "ModifyPassword", "RegisterUser", "SearchEngine", "Summarization", "TableQA",
    "Wiki",
];

const MUSIC_AND_FILM: &[&str] = &[
    "PlayMusic", "SearchMovieMusic", "IdentifySong", "BookTicket", "CancelTicket", "ModifyTicket",
    "QueryTicket", "DeleteAccount", "RegisterUser", "GetUserToken", "ModifyPassword",
    "ForgotPassword", "SearchEngine", "Wiki", "KnowledgeGraph",
];

const fn pair(
    catalog: &'static str,
    asked: &'static str,
    kinds: &'static [&'static str],
    only: &'static [&'static str],
    never: &'static [&'static str],
) -> Pair {
    Pair { catalog, asked, kinds, only, never }
}

/// The pairs, by catalog.
pub(super) const PAIRS: &[Pair] = &[
    pair("apibank", "gtc", WORKSHOP, ANY, ANY),
    pair("functionchat-ko", "gtc", WORKSHOP, ANY, ANY),
    // It is a shop and tools of programmers.
    pair(
        "gtc",
        "functionchat-ko",
        ANY,
        ANY,
        &[
            "OrderPizza",
            "compare_it_device_prices",
            "compare_office_supplies_prices",
            "create_user",
            "gift_search_product",
            "track_order",
        ],
    ),
    pair("gtc", "apibank", ANY, ANY, APIBANK_COMMON),
    pair("gtc", "metatool", &["single"], LEISURE, ANY),
    pair("gtc", "restbench", ANY, ANY, ANY),
    pair("livemcp", "functionchat-ko", ANY, PERSONAL, ANY),
    pair("livemcp", "gtc", &["ecommerce", "k8s", "petstore"], ANY, ANY),
    pair(
        "metatool",
        "functionchat-ko",
        ANY,
        &[
            "CallTaxi",
            "CheckTaxRefund",
            "FindPrinterError",
            "checkBankBalance",
            "compareCleaningServices",
            "informDday",
            "registerFriendBirthday",
            "schedule_laundry_pickup",
            "searchFriendBirthday",
            "transferMoney",
            "update_contact",
        ],
        ANY,
    ),
    pair("nestful", "gtc", &["github", "k8s", "playwright"], ANY, ANY),
    // It is films, series and music.
    pair("restbench", "apibank", ANY, ANY, MUSIC_AND_FILM),
    pair(
        "restbench",
        "functionchat-ko",
        ANY,
        ANY,
        &[
            "book_concert_tickets",
            "getTodayBoxOfficeRanking",
            "get_movie_details",
            "get_movie_schedule",
            "start_playlist",
        ],
    ),
    pair("restbench", "gtc", WORKSHOP, ANY, ANY),
    pair("restbench", "metatool", &["single"], LEISURE, &["Broadway", "NASATool"]),
    pair("restbench", "toolalpaca", ANY, ANY, &["AniAPI", "Auth0", "Améthyste", "WolframAlpha"]),
    pair(
        "stabletoolbench",
        "functionchat-ko",
        ANY,
        &[
            "AddAlarm",
            "CallTaxi",
            "CheckTaxRefund",
            "FindPrinterError",
            "QueryCalendar",
            "checkBankBalance",
            "compareCleaningServices",
            "informDday",
            "registerFriendBirthday",
            "schedule_laundry_pickup",
            "searchFriendBirthday",
            "update_contact",
        ],
        ANY,
    ),
    pair("stabletoolbench", "gtc", &["k8s"], ANY, ANY),
    // It is currencies, holidays, animals, aviation and jokes.
    pair("toolalpaca", "functionchat-ko", ANY, PERSONAL, ANY),
    pair("toolalpaca", "gtc", &["cli_agent", "github", "k8s", "mixed_mcp"], ANY, ANY),
    pair("toolalpaca", "restbench", &["spotify"], ANY, ANY),
];
