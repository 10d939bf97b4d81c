//! A toolkit of 38 tools around a database table, in the proportions of the founding workbench.

use oncue_decl::{Declaration, Exposure, Row};

/// The name of the search tool.
pub(crate) const SEARCH_TOOL: &str = "searchTools";

const fn read(name: &'static str, description: &'static str) -> Declaration {
    Row::declare(name, description).silent().exposure(Exposure::ReadOnly)
}

const fn staged(name: &'static str, description: &'static str) -> Declaration {
    Row::declare(name, description).exposure(Exposure::Staged)
}

const fn full(name: &'static str, description: &'static str) -> Declaration {
    Row::declare(name, description).exposure(Exposure::Full)
}

/// The tools in declared order: first those of the loop, then reads, then changes.
pub(crate) static ROWS: &[Row] = &[
    Row::declare(SEARCH_TOOL, "Finds tools by what they do").part_of_loop().inline(),
    // Reads that a request needs without naming them.
    read("listTables", "Lists the tables of the account").inline(),
    read("describeTable", "Tells the keys and indexes of a table").inline(),
    read("queryTable", "Reads items by key").inline(),
    read("scanTable", "Reads items by condition").inline(),
    read("getItem", "Reads one item").inline(),
    read("countItems", "Counts the items that match").inline(),
    read("listOpenTabs", "Lists the tabs that are open").inline(),
    read("readAttachment", "Reads a file attached to the conversation").inline(),
    read("inferSchema", "Tells which attributes the items have").inline(),
    read("explainQuery", "Tells how a query will be run").inline(),
    read("readFilter", "Tells which filter is set").inline(),
    read("listRegions", "Lists the regions of the account").inline(),
    // Reads that are asked for by name.
    read("describeIndexStatistics", "Tells how large an index is and how often it is read")
        .keywords(&["index statistics", "usage"])
        .discoverable(),
    read("listSavedSpecs", "Lists the saved query specs")
        .keywords(&["saved spec", "bookmark"])
        .discoverable(),
    read("readSavedSpec", "Reads a saved query spec").keywords(&["saved spec"]).discoverable(),
    read("introspectRelationships", "Tells which tables refer to which")
        .keywords(&["relationship", "foreign key"])
        .discoverable(),
    read("listStagedChanges", "Lists the changes waiting for review")
        .keywords(&["staged", "pending"])
        .discoverable(),
    read("diffStagedChanges", "Compares waiting changes with the items as they are")
        .keywords(&["staged", "diff"])
        .discoverable(),
    read("exportStatus", "Tells how far an export is")
        .keywords(&["export", "progress"])
        .discoverable(),
    // Silent, but of this program's window only.
    Row::declare("showNotice", "Shows a line of text").silent().inline(),
    Row::declare("highlightRows", "Marks rows in the open tab").silent().inline(),
    // Five pairs: the one acts, the other puts up a chip that a person clicks.
    full("openTable", "Opens a table in a tab").acts_where_proposes("proposeOpenTable").inline(),
    staged("proposeOpenTable", "Offers to open a table in a tab")
        .proposes_where_acts("openTable")
        .inline(),
    full("openWorkbench", "Opens the workbench")
        .acts_where_proposes("proposeOpenWorkbench")
        .inline(),
    staged("proposeOpenWorkbench", "Offers to open the workbench")
        .proposes_where_acts("openWorkbench")
        .inline(),
    full("setFilter", "Sets the filter of the open tab")
        .acts_where_proposes("proposeSetFilter")
        .inline(),
    staged("proposeSetFilter", "Offers to set the filter of the open tab")
        .proposes_where_acts("setFilter")
        .inline(),
    full("runQuery", "Runs a query in the open tab")
        .acts_where_proposes("proposeRunQuery")
        .inline(),
    staged("proposeRunQuery", "Offers to run a query in the open tab")
        .proposes_where_acts("runQuery")
        .inline(),
    full("closeTab", "Closes a tab").acts_where_proposes("proposeCloseTab").inline(),
    staged("proposeCloseTab", "Offers to close a tab").proposes_where_acts("closeTab").inline(),
    // Changes that a person reviews before they land.
    staged("stagePut", "Prepares to write an item").inline(),
    staged("stageDelete", "Prepares to delete an item").inline(),
    staged("discardStaged", "Throws away waiting changes")
        .keywords(&["staged", "discard"])
        .discoverable(),
    // Changes at once, asked for by name.
    full("startExport", "Writes a table to a file")
        .keywords(&["csv", "download", "save as"])
        .discoverable(),
    full("cancelExport", "Stops an export").keywords(&["export", "abort"]).discoverable(),
    full("saveSpec", "Saves the query spec of the open tab")
        .keywords(&["saved spec", "bookmark"])
        .discoverable(),
];
