// CampusAPI
