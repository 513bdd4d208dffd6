// CampusNetworking
